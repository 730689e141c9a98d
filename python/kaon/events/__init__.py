"""Events as objects: frames, collections, and the rows of files behind them."""
