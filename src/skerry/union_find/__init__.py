"""Disjoint sets that edges are added to: the forest, its classes, its file, and windows.

Nothing is imported here: engines use the forest alone, and the public names are those of `skerry`.
"""
