"""The command ``kaon``."""
