"""Trains: several files in one pass over a dataset."""
