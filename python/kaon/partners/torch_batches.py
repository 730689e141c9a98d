"""Batches of events as a PyTorch dataset, shared among its workers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch.utils.data import IterableDataset, get_worker_info


class TorchBatches(IterableDataset):  # type: ignore[misc]  # no types without PyTorch
    """Batches of tensors by name, made of `kaon.results.Batches`: see `Batches.torch`."""

    def __init__(self, batches: Any) -> None:
        super().__init__()
        self._batches = batches
        self._process, self._processes = _place_among_processes()

    def set_epoch(self, epoch: int) -> None:
        """Set the next epoch; with a seed, the order follows from seed and epoch."""
        self._batches.epoch = epoch

    def __iter__(self) -> Iterator[dict[str, Any]]:
        worker = get_worker_info()
        number, workers = (worker.id, worker.num_workers) if worker else (0, 1)
        mine = self._batches.share(self._process * workers + number, self._processes * workers)
        self._batches.epoch += 1
        if mine.seed is None and self._processes == 1:
            # All workers know PyTorch's seed of this epoch; a worker's own seed adds its number.
            if worker:
                mine.seed = worker.seed - worker.id
            else:
                mine.seed, mine.epoch = int(torch.randint(2**62, ()).item()), 0
        for batch in mine:
            yield {name: torch.from_numpy(values) for name, values in batch.items()}


def _place_among_processes() -> tuple[int, int]:
    distributed = torch.distributed
    if distributed.is_available() and distributed.is_initialized():
        return distributed.get_rank(), distributed.get_world_size()
    return 0, 1
