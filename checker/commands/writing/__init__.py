"""How the result of a command is written out: to the terminal as it goes, and to whole files."""
