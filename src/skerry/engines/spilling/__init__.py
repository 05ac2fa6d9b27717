"""Graphs whose ids or vertices do not fit in memory: in passes over temporary files."""
