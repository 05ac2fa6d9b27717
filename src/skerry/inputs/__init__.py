"""From whatever the caller has to one of three kinds of source; see recognize.py."""
