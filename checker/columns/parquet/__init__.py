"""Parquet to a batch of rounds."""
