"""Fuzz targets in Python, and the campaign that runs all targets: `python -m fuzz`, in tests/."""
