"""Names on the command line to files, and files to a rulebook."""
