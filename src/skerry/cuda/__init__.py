"""Access to CUDA devices: memory, compiled kernels, launches, events and clear errors."""
