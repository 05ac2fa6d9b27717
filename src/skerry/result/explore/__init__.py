"""``result.explore()``: a page for looking at an answer."""
