"""Assay assesses robot recordings: ``assay.assess(path)`` returns decisions, flags and data frames."""

from . import lerobot
from ._program import version as _version
from .assess import assess
from .assessment import Assessment
from .errors import AssayError
from .types import Check, Decision, Episode, Finding, Flag

__version__ = _version()

__all__ = [
    "AssayError",
    "Assessment",
    "Check",
    "Decision",
    "Episode",
    "Finding",
    "Flag",
    "__version__",
    "assess",
    "lerobot",
]
