"""Runs scripts of this folder in one process, so that what they import is loaded once.

  worker.py SOCKET   prints a line once it listens there

Reads a line of JSON a connection, {"script": path, "args": [..]}, and answers it with {"output": what the script printed to
standard output} or {"failed": its traceback}, and `first` for the first request. Ends when standard input does.
"""

import io
import json
import os
import runpy
import socketserver
import sys
import threading
import traceback

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


class Requests(socketserver.StreamRequestHandler):
    first = True

    def handle(self) -> None:
        request = json.loads(self.rfile.readline())
        answer = {"first": Requests.first, **run(request["script"], request["args"])}
        Requests.first = False
        self.wfile.write(json.dumps(answer).encode())


def end_with_input() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


threading.Thread(target=end_with_input, daemon=True).start()
with socketserver.UnixStreamServer(sys.argv[1], Requests) as server:
    print("ready", flush=True)
    # Whatever native code prints goes to standard error.
    os.dup2(2, 1)
    server.serve_forever()
