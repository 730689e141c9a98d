"""Files that are written: arrays and events become tables."""
