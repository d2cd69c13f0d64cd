"""Runs scripts of this folder in one process, so that what they import is loaded once.

Reads a line of JSON a request, {"script": path, "args": [..]}, and answers it with a line: {"output": what the script printed
to standard output} or {"failed": its traceback}. Ends when standard input does.
"""

import io
import json
import os
import runpy
import sys
import traceback

# What native code prints must not get between the answers.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
home, stdout, stderr = os.getcwd(), sys.stdout, sys.stderr


def run(script: str, args: list[str]) -> dict:
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    sys.argv, sys.stdout = [script, *args], printed
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as ended:
        if ended.code not in (None, 0):
            return {"failed": f"exited with {ended.code}"}
    except BaseException:
        return {"failed": traceback.format_exc()}
    finally:
        sys.stdout, sys.stderr = stdout, stderr
        os.chdir(home)
    return {"output": printed.buffer.getvalue().decode()}


for line in sys.stdin:
    request = json.loads(line)
    answers.write(json.dumps(run(request["script"], request["args"])) + "\n")
    answers.flush()
