"""Random inputs for kaon, and the results that the documentation predicts."""
