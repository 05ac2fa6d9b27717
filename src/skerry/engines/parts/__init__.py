"""A graph in parts: rows of vertices on several devices, joined by the labels of their borders."""
