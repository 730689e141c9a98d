from kaon.dask.awkward_arrays import arrays as arrays
from kaon.dask.pandas_frames import dataframe as dataframe
