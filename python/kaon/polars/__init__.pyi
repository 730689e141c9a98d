from kaon.polars.frames import scan as scan
