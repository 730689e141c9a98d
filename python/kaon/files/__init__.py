"""Open files and their categories, metadata, overviews, sizes and verification."""
