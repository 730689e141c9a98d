"""Open files and their categories, what they say of themselves, and what takes their bytes."""
