"""The claims of the papers as data, and the functions that judge them."""
