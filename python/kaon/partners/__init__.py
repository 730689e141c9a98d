"""Other libraries that ask for events, and machines that share the work."""
