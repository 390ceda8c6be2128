"""`python -m arena`, the same as `arena`."""

from arena.cli import main

if __name__ == "__main__":
    main()
