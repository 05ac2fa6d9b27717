"""Text formats, read by our own parser (kernels/cpu/text) in blocks, several threads at a time."""
