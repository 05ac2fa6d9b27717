"""Who solves a graph: one module an engine, chosen by dispatch.py."""
