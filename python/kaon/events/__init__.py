"""Events as objects: frames, collections, and the rows of a file that they are views of."""
