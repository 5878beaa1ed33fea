"""Text to tree, and tree back to text."""
