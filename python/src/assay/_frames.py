"""Episodes and flags as columns, and as data frames of optional libraries."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any, Literal

from .errors import AssayError
from .types import Episode

Table = Literal["episodes", "flags"]


def episode_rows(episodes: Iterable[Episode]) -> dict[str, list[Any]]:
    """One row per episode. Each check has a column named by its id; None if the check was not scored."""
    rows = list(episodes)
    columns: dict[str, list[Any]] = {
        "index": [row["episode"]["index"] for row in rows],
        "id": [row["episode"]["id"] for row in rows],
        "file": [row["episode"]["locator"]["path"] for row in rows],
        "kind": [row["kind"]["kind"] for row in rows],
        "decision": [row["decision"] for row in rows],
        "decision_reason": [row["decision_reason"] for row in rows],
        "score": [_float(row["score"]) for row in rows],
        "graded_fraction": [_float(row["graded_fraction"]) for row in rows],
        "duration_s": [_float(row["episode"]["duration_s"]) for row in rows],
        "flags": [[flag["code"] for flag in row["flags"]] for row in rows],
        "findings": [[finding["code"] for finding in row["findings"]] for row in rows],
    }
    scores = [{check["id"]: _float(check.get("score")) for check in row["checks"]} for row in rows]
    for check in sorted({check for row in scores for check in row}):
        columns[check] = [row.get(check) for row in scores]
    return columns


def _float(number: float | None) -> float | None:
    """JSON writes 1.0 as 1, and a column has one type."""
    return None if number is None else float(number)


def flag_rows(episodes: Iterable[Episode]) -> dict[str, list[Any]]:
    """One row per flag."""
    pairs = [(episode["episode"], flag) for episode in episodes for flag in episode["flags"]]
    columns: dict[str, list[Any]] = {
        "index": [episode["index"] for episode, _ in pairs],
        "id": [episode["id"] for episode, _ in pairs],
        "file": [episode["locator"]["path"] for episode, _ in pairs],
    }
    for name in ("code", "check", "severity", "message", "advice"):
        columns[name] = [flag[name] for _, flag in pairs]
    return columns


def pandas_frame(columns: dict[str, list[Any]]) -> Any:
    return _library("pandas").DataFrame(columns)


def polars_frame(columns: dict[str, list[Any]]) -> Any:
    return _library("polars").DataFrame(columns, infer_schema_length=None)


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
        raise AssayError(
            "not_installed",
            f"{name} is not installed",
            advice=f"pip install 'assay-robotics[{name}]'",
        ) from missing
