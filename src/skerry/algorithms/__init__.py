"""The algorithms: the catalogue of named ones, their passes, the planner and the checker."""
