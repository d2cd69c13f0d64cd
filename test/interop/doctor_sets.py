"""What a peer says of many sets, in one process: its start costs more than a small set.

  doctor_sets.py robovet|lerobot-doctor FOLDER...

Prints one JSON object: what the peer's own JSON says, by folder.
"""

import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile


def robovet(folder: str) -> object:
    from robovet.cli import app

    with tempfile.TemporaryDirectory() as scratch:
        said = os.path.join(scratch, "said.json")
        with contextlib.suppress(SystemExit):
            app(["doctor", folder, "--json", said])
        return json.loads(pathlib.Path(said).read_text())


def lerobot_doctor(folder: str) -> object:
    from lerobot_doctor.cli import main

    sys.argv = ["lerobot-doctor", "check", folder, "--json"]
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        main()
    return json.loads(said.getvalue())


peer = {"robovet": robovet, "lerobot-doctor": lerobot_doctor}[sys.argv[1]]
folders = sys.argv[2:]
with contextlib.redirect_stdout(io.StringIO()):
    answers = {folder: peer(folder) for folder in folders}
json.dump(answers, sys.stdout)
