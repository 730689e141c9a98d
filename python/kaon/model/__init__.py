"""Data models in Python: classes, objects, and the kinds of their members."""
