"""Lines of JSON to a batch of rounds."""
