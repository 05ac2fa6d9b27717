"""``python -m skerry`` is the command ``skerry``."""

from skerry.cli import main

if __name__ == "__main__":
    main()
