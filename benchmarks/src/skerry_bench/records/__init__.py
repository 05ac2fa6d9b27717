"""Records of forced paths, and what they say of the constants that decide between them."""
