"""Random inputs for kaon, and what the documentation says comes of them."""
