"""Runs ``assay assess``."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from ._program import answer_of
from .assessment import Assessment

#: Exit codes 0 (success) and 4 (something could not be measured on this machine, see `Assessment.incomplete`).
_FINISHED = (0, 4)


def assess(
    path: str | os.PathLike[str],
    *,
    out: str | os.PathLike[str] | None = None,
    settings: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    kind: str | None = None,
    pictures: Literal["none", "sampled", "all"] | None = None,
    limit: int | None = None,
    loader: str | Iterable[str] | None = None,
    rate_hz: float | None = None,
    recipe: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    cache: str | os.PathLike[str] | Literal[False] | None = None,
) -> Assessment:
    """Assesses every episode of a recording, a dataset or a folder of datasets.

    ``path`` is a file, a folder, ``hf://datasets/OWNER/NAME`` or an ``https://`` address. The options are those of the
    command line (``assay assess --help``): ``out`` is a folder for receipts and report, ``settings`` a file or the
    settings themselves, ``loader`` the id of the training loader that datasets are judged by, or several ids, ``cache`` a
    folder for cached measurements, or ``False`` for no cache.

    Raises `AssayError` if nothing could be read or an option is invalid.
    """
    options = {
        "out": out,
        "kind": kind,
        "pictures": pictures,
        "limit": limit,
        "loader": loader if loader is None or isinstance(loader, str) else ",".join(loader),
        "rate-hz": rate_hz,
        "recipe": recipe,
        "workers": workers,
        "cache": None if cache is False else cache,
    }
    words = [f"--{name}={_word(value)}" for name, value in options.items() if value is not None]
    if cache is False:
        words.append("--no-cache")
    with _settings_file(settings) as file:
        if file is not None:
            words.append(f"--settings={file}")
        return Assessment(answer_of("assess", [*words, "--", os.fspath(path)], _FINISHED))


def _word(value: object) -> str:
    return os.fsdecode(value) if isinstance(value, os.PathLike) else str(value)


@contextmanager
def _settings_file(settings: str | os.PathLike[str] | Mapping[str, Any] | None) -> Iterator[str | None]:
    if not isinstance(settings, Mapping):
        yield None if settings is None else os.fspath(settings)
        return
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        file = Path(folder, "settings.json")
        file.write_text(json.dumps(settings), encoding="utf-8")
        yield str(file)
