"""Generators of the corpus: each takes the entries that its graph is to have, and a random stream.

A graph has about as many entries (both directions of every edge); repeats and loops are allowed
here and left out when the rows are built.
"""
