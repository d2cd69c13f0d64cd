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
    """Numbers of the episodes to train on, as ``LeRobotDataset(episodes=…)`` wants them.

    ``source`` is a LeRobot set, which is assessed with ``options`` of `assay.assess`, or an assessment of one.
    Raises `AssayError` where it is anything but one LeRobot set.
    """
    assessment = source if isinstance(source, Assessment) else assess(source, **options)
    formats = {episode["episode"]["locator"]["format"] for episode in assessment.episodes}
    parts = assessment.dataset.get("parts") or []
    if formats - {"lerobot"} or len(parts) > 1:
        raise AssayError(
            "invalid_request",
            "episode numbers have a meaning within one LeRobot set only",
            advice="name the folder that has meta/info.json",
        )
    return [one["episode"]["index"] for one in assessment.episodes if one["decision"] in decisions]
