"""For ``LeRobotDataset(…, episodes=assay.lerobot.keep(path))``."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Any

from .assess import assess
from .assessment import Assessment
from .errors import AssayError
from .types import Decision


_ACCEPTED: tuple[Decision, ...] = ("accept",)


def keep(
    source: str | os.PathLike[str] | Assessment,
    *,
    decisions: Collection[Decision] = _ACCEPTED,
    **options: Any,
) -> list[int]:
    """Numbers of the episodes to train on, in the form that ``LeRobotDataset(episodes=…)`` takes.

    ``source`` is a LeRobot dataset, which is assessed with the ``options`` of `assay.assess`, or its assessment.
    Raises `AssayError` if it is not exactly one LeRobot dataset.
    """
    assessment = source if isinstance(source, Assessment) else assess(source, **options)
    formats = {episode["episode"]["locator"]["format"] for episode in assessment.episodes}
    parts = assessment.dataset.get("parts") or []
    if formats - {"lerobot"} or len(parts) > 1:
        raise AssayError(
            "invalid_request",
            "episode numbers are only defined within a single LeRobot dataset",
            advice="pass the folder that contains meta/info.json",
        )
    return [one["episode"]["index"] for one in assessment.episodes if one["decision"] in decisions]
