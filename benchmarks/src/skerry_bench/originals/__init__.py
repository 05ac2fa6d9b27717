"""Our rewrites of published algorithms beside the programs that they are named after."""
