"""Executors that apply a function to parts: this process, other processes, a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from kaon.errors import UsageError
from kaon.files.array_forms import package
from kaon.partners.addition import TOGETHER, added, total
from kaon.partners.parts import Part

Progress: TypeAlias = "Callable[[float], object] | None"


def total_of(
    function: Callable[[Part], Any], parts: Sequence[Part], executor: Any, progress: Progress
) -> Any:
    """Return the sum of a function's results for all parts, computed by an executor.

    Parameters
    ----------
    executor
        As in `Processor.run`.
    """
    if executor is None:
        return total(_with_progress(map(function, parts), len(parts), progress))
    if _is_of(executor, "distributed"):
        return _total_of_dask(function, parts, executor, progress)
    if _is_of(executor, "coffea"):
        return _total_of_coffea(function, parts, executor)
    if isinstance(executor, type) or not callable(getattr(executor, "map", None)):
        raise UsageError(
            f"{executor!r} is not an executor: it lacks the method `map`. Use one of "
            "concurrent.futures, such as ThreadPoolExecutor(2), one of coffea, or a client of "
            "Dask, Client(cluster)"
        )
    return total(_with_progress(executor.map(function, parts), len(parts), progress))


def _is_of(executor: Any, package: str) -> bool:
    """Return whether an executor's class, or one of its base classes, is of a package."""
    return any(kind.__module__.partition(".")[0] == package for kind in type(executor).__mro__)


def _total_of_dask(
    function: Callable[[Part], Any], parts: Sequence[Part], client: Any, progress: Progress
) -> Any:
    """Let a cluster of Dask add up the results, too, in the order of `total`."""
    as_completed = package("distributed").as_completed
    name = getattr(getattr(function, "function", function), "__name__", "processor")
    futures = client.map(function, parts, key=name, pure=False)
    for _ in _with_progress(as_completed(futures), len(futures), progress) if progress else ():
        pass
    while len(futures) > 1:
        groups = [futures[i : i + TOGETHER] for i in range(0, len(futures), TOGETHER)]
        futures = client.map(added, groups, key=f"{name}-sum", pure=False)
    return futures[0].result()


def _total_of_coffea(function: Callable[[Part], Any], parts: Sequence[Part], executor: Any) -> Any:
    if getattr(executor, "heavy_input", None) is not None:  # a Runner has left its processor there
        executor = executor.copy(heavy_input=None)
    result, failure = executor(list(parts), function, None)
    if isinstance(failure, BaseException):
        raise failure
    return result


def _with_progress(results: Iterable[Any], count: int, progress: Progress) -> Iterator[Any]:
    """Yield results, and report after each how many of them are done."""
    for number, result in enumerate(results, start=1):
        if progress:
            progress(number / count)
        yield result
