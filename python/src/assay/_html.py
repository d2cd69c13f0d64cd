"""HTML representation of an assessment in notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from .types import Decision, Episode, Finding

_SHOWN = 50
_WORST_FIRST: Mapping[str, int] = {"reject": 0, "review": 1, "accept": 2}


def html_of(episodes: Sequence[Episode], decisions: Mapping[Decision, int], findings: Sequence[Finding]) -> str:
    """Decisions, findings and the worst episodes; every text of a recording is escaped."""
    counts = ", ".join(f"{count} {escape(decision)}" for decision, count in decisions.items())
    worst = sorted(episodes, key=lambda one: (_WORST_FIRST[one["decision"]], one["score"] or 0))[:_SHOWN]
    more = f"<p>and {len(episodes) - _SHOWN} more</p>" if len(episodes) > _SHOWN else ""
    told = "".join(
        f"<li><b>{escape(finding['severity'])}</b> {escape(finding['message'])}</li>" for finding in findings[:_SHOWN]
    )
    return (
        f"<p><b>{len(episodes)} episodes</b>: {counts}</p>"
        + (f"<ul>{told}</ul>" if told else "")
        + "<table><thead><tr><th>episode</th><th>decision</th><th>score</th><th>reason</th></tr></thead><tbody>"
        + "".join(_row(episode) for episode in worst)
        + f"</tbody></table>{more}"
    )


def _row(episode: Episode) -> str:
    score = "" if episode["score"] is None else f"{episode['score']:.2f}"
    cells = (episode["episode"]["id"], episode["decision"], score, episode["decision_reason"])
    return "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
