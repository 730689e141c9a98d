"""Columns of a file as arrays, and relations followed in them."""
