"""Types of the results. A receipt has more members than these: docs/receipt.schema.json."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

Decision = Literal["accept", "review", "reject"]
Severity = Literal["info", "warning", "error", "blocking"]


class Check(TypedDict, total=False):
    """Result of one check for an episode; ``score`` is present if ``status`` is ``scored``."""

    id: str
    status: Literal["scored", "inapplicable", "not_assessable", "disabled"]
    score: float
    threshold: float
    weight: float
    reason: str


class Flag(TypedDict):
    """A problem that a check found in an episode, with advice."""

    code: str
    check: str
    severity: Severity
    message: str
    advice: str


class Finding(TypedDict):
    """A finding on a dataset, or on reading an episode."""

    code: str
    severity: Severity
    path: str | None
    message: str
    advice: str | None


class Locator(TypedDict):
    """Location of an episode: its format, and its file relative to the dataset."""

    format: str
    path: str


class EpisodeFacts(TypedDict):
    """Identity of an episode. ``index`` is its number within its dataset."""

    id: str
    index: int
    duration_s: float
    locator: Locator
    tasks: list[str]


class EpisodeKind(TypedDict):
    """Kind of recording, such as ``teleop``."""

    kind: str
    evidence: list[str]


class Episode(TypedDict):
    """The receipt of an episode. ``score`` is None if nothing could be scored."""

    episode: EpisodeFacts
    kind: EpisodeKind
    decision: Decision
    decision_reason: str
    score: float | None
    graded_fraction: float
    checks: list[Check]
    flags: list[Flag]
    findings: list[Finding]
    content_hash: str
    streams: list[dict[str, Any]]
