"""Runs a command of robovet, whatever it exits with: robovet_command.py ARGUMENT.."""

import contextlib
import sys

from robovet.cli import app

with contextlib.suppress(SystemExit):
    app(sys.argv[1:])
