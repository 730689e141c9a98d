"""Pictures of histograms, by Matplotlib and mplhep."""
