"""What GPU code needs of a device: memory, compiled kernels, launches, and clear errors."""
