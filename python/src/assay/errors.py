"""Errors of the program."""

from __future__ import annotations


class AssayError(Exception):
    """The program failed. ``code`` is an error code (docs/errors.md); ``advice`` says what to do, if that is known."""

    def __init__(self, code: str, message: str, *, advice: str | None = None, exit_code: int | None = None) -> None:
        super().__init__(message if advice is None else f"{message}; {advice}")
        self.code = code
        self.message = message
        self.advice = advice
        self.exit_code = exit_code
