"""More than one machine: stages that any engine can run, their state, and their result."""
