"""Text formats, parsed in blocks by native code (kernels/cpu/text) in several threads."""
