"""What is said of recordings, as the program says it. A receipt has more members than these: docs/receipt.schema.json."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

Decision = Literal["accept", "review", "reject"]
Severity = Literal["info", "warning", "error", "blocking"]


class Check(TypedDict, total=False):
    """How one check graded an episode; ``score`` is there where ``status`` is ``scored``."""

    id: str
    status: Literal["scored", "inapplicable", "not_assessable", "disabled"]
    score: float
    threshold: float
    weight: float
    reason: str


class Flag(TypedDict):
    """What a check says of an episode, with what to do."""

    code: str
    check: str
    severity: Severity
    message: str
    advice: str


class Finding(TypedDict):
    """What is said of a dataset, or of the reading of an episode."""

    code: str
    severity: Severity
    path: str | None
    message: str
    advice: str | None


class Locator(TypedDict):
    """Where an episode lies: its format and the file, relative to its dataset."""

    format: str
    path: str


class EpisodeFacts(TypedDict):
    """Which episode it is. ``index`` is its number within its dataset."""

    id: str
    index: int
    duration_s: float
    locator: Locator
    tasks: list[str]


class EpisodeKind(TypedDict):
    """What was recorded, such as ``teleop``."""

    kind: str
    evidence: list[str]


class Episode(TypedDict):
    """The receipt of an episode. ``score`` is None where nothing could be graded."""

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
