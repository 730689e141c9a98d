"""Names that other libraries have for functions of kaon, for messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

#: Functions of the module, by the names of ROOT, uproot and coffea.
OF_MODULE = {
    "FileFactory": "kaon.open",
    "Hist": "Dataframe.histogram",
    "NanoAODSchema": "kaon.coffea.nano_events",
    "NanoEventsFactory": "kaon.coffea.nano_events",
    "PackedSelection": "Dataframe.filter and Dataframe.report",
    "ProcessorABC": "kaon.processor",
    "RDataFrame": "kaon.dataset",
    "RunGraphs": "kaon.run",
    "Runner": "kaon.coffea.runner",
    "TChain": "kaon.dataset",
    "TFile": "kaon.open",
    "VariationsFor": "Result.variations",
    "lazy": "kaon.dataset",
    "reading": "kaon.open",
    "recreate": "kaon.create",
    "update": "kaon.append",
    "writing": "kaon.create",
}

#: Methods of dataframes, by the names of RDataFrame, pandas, polars and coffea.
OF_DATAFRAMES = {
    "Aggregate": "kaon.processor",
    "Alias": "alias",
    "AsAwkward": "arrays(columns)",
    "AsNumpy": "arrays(columns, library='np')",
    "Cache": "snapshot",
    "Count": "count",
    "DefaultValueFor": "fallback",
    "Define": "define",
    "DefinePerSample": "the weights of kaon.dataset, or define with dataset.sample",
    "Describe": "describe",
    "Display": "display",
    "Filter": "filter",
    "FilterAvailable": "fallback",
    "Foreach": "kaon.iterate",
    "GetColumnNames": "columns",
    "GetColumnType": "describe",
    "GetFilterNames": "report",
    "Graph": "profile",
    "Histo1D": "histogram",
    "Histo2D": "histogram",
    "Histo3D": "histogram",
    "HistoND": "histogram",
    "Max": "max",
    "Mean": "mean",
    "Min": "min",
    "Profile1D": "profile",
    "Profile2D": "profile",
    "Range": "range",
    "Redefine": "redefine",
    "Reduce": "kaon.processor",
    "Report": "report",
    "Snapshot": "snapshot",
    "Stats": "stats",
    "StdDev": "stats",
    "Sum": "sum",
    "Take": "take",
    "Vary": "vary",
    "assign": "define",
    "collect": "arrays(columns)",
    "cut": "filter",
    "cutflow": "report",
    "fill": "histogram",
    "hist": "histogram",
    "nminusone": "without_filter",
    "query": "filter",
    "select": "arrays(columns)",
    "to_arrow": "arrays(columns, library='arrow')",
    "to_numpy": "arrays(columns, library='np')",
    "to_pandas": "arrays(columns, library='pd')",
    "to_polars": "arrays(columns, library='pl')",
    "with_column": "define",
    "with_columns": "define",
}

#: Attributes of results, by the names of RDataFrame.
OF_RESULTS = {"Draw": "value.plot()", "GetPtr": "value", "GetValue": "value"}


def fail(thing: object, what: str, name: str, others: Mapping[str, str]) -> NoReturn:
    """Raise an AttributeError, which names kaon's function for that of another library."""
    hint = f"; kaon's name is {others[name]}" if name in others else ""
    raise AttributeError(f"{what} no '{name}'{hint}", name=name, obj=thing)
