"""Columns and choices of the entries of many files, computed in one pass."""
