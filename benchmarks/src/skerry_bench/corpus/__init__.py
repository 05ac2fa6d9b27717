"""The corpus: some hundred graphs of many families, to fit the planner and to check it.

`catalog` describes every graph as data, `halves` divides families into a tuning and a checking
half, `shapes` has the generators, `orders` and `mixtures` what is done with their graphs.
"""
