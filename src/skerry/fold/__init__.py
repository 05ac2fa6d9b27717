"""Folds edges into components as they come, batch by batch; the edges themselves are not kept."""
