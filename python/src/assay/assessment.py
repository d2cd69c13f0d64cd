"""The result of an assessment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from ._frames import Table, episode_rows, flag_rows, pandas_frame, polars_frame
from ._html import html_of
from .types import Decision, Episode, Finding, Flag

if TYPE_CHECKING:
    import pandas
    import polars


class Assessment:
    """Decisions, flags and findings of all assessed episodes."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        #: Summary of the recordings: format, decisions, settings, datasets (`parts`).
        self.dataset: Mapping[str, Any] = answer["dataset"]
        #: The receipt of every episode, in order.
        self.episodes: list[Episode] = answer["receipts"]

    @property
    def findings(self) -> list[Finding]:
        """Findings on whole datasets rather than single episodes."""
        found: list[Finding] = self.dataset["findings"]
        return found

    @property
    def incomplete(self) -> list[Any]:
        """What could not be measured on this machine; empty if everything could."""
        missing: list[Any] = self.dataset["incomplete"]
        return missing

    @property
    def decisions(self) -> dict[Decision, int]:
        """Number of episodes by decision."""
        counts: dict[Decision, int] = dict(self.dataset["decisions"])
        return counts

    @property
    def usability(self) -> Mapping[str, Any]:
        """Verdict on everything that was assessed: ``verdict`` (``usable``, ``usable_after_fix``, ``not_usable``),
        ``usable_episodes`` and ``reasons``."""
        verdict: Mapping[str, Any] = self.dataset["usability"]
        return verdict

    def accepted(self) -> list[Episode]:
        """The episodes that are fit to train on."""
        return [episode for episode in self.episodes if episode["decision"] == "accept"]

    def flags(self, code: str | None = None) -> list[tuple[Episode, Flag]]:
        """All flags with their episodes; with ``code``, only flags of that code."""
        return [
            (episode, flag)
            for episode in self.episodes
            for flag in episode["flags"]
            if code is None or flag["code"] == code
        ]

    def to_pandas(self, table: Table = "episodes") -> pandas.DataFrame:
        """One row per episode with the score of each check; ``table="flags"``: one row per flag. Needs pandas."""
        frame: pandas.DataFrame = pandas_frame(self._rows(table))
        return frame

    def to_polars(self, table: Table = "episodes") -> polars.DataFrame:
        """Same as `to_pandas`, as a polars data frame. Needs polars."""
        frame: polars.DataFrame = polars_frame(self._rows(table))
        return frame

    def _rows(self, table: Literal["episodes", "flags"]) -> dict[str, list[Any]]:
        if table == "episodes":
            return episode_rows(self.episodes)
        if table == "flags":
            return flag_rows(self.episodes)
        raise ValueError(f"unknown table {table!r}; choose 'episodes' or 'flags'")

    def __len__(self) -> int:
        return len(self.episodes)

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {decision}" for decision, count in self.decisions.items())
        return f"<Assessment of {len(self)} episodes: {counts}>"

    def _repr_html_(self) -> str:
        return html_of(self.episodes, self.decisions, self.findings)
