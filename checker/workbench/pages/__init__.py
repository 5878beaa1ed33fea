"""The pages, a file for each part of the audit. A page is a function of the workspace and of what
was asked for; it gives a template and its data."""
