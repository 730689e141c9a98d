"""What data models become in Python: classes, objects, and what their members can be."""
