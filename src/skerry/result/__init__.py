"""The answer: labels with their ids, the plan of the run, and the check of the labels."""
