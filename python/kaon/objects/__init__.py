"""Objects of files that are not categories: histograms, graphs, texts, numbers."""
