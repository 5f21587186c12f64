"""`python -m pyplay`."""

from pyplay.cli.main import main

if __name__ == "__main__":
    main()
