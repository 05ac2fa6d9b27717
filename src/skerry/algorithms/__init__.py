"""The algorithms: the catalog of named ones, their passes, the planner and the checker."""
