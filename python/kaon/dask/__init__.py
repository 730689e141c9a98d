"""Events as arrays and dataframes of Dask."""

from kaon.public_names import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
