"""The client against a real service: ASSAY_ADDRESS and ASSAY_TOKEN name it, ASSAY_TEST_SET a folder that it may read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import httpx
import pytest

from assay_client import AssayApiError, AsyncClient, CallOptions, Client, Patience, Upload, aevery, every

SET = os.environ["ASSAY_TEST_SET"]


def _project(client: Client, name: str) -> str:
    workspace = client.workspaces.create(name=name, use_case="robotic-manipulation")
    project = client.projects.create(
        workspace_id=workspace["id"], name=name, target_profile="behaviour-cloning"
    )
    return project["id"]


@pytest.fixture()
def client() -> Any:
    with Client() as client:
        yield client


def test_follows_a_run_to_its_receipts(client: Client) -> None:
    project = _project(client, "python")
    source = client.sources.create(project_id=project, body={"kind": "folder", "path": SET})
    run = client.runs.start(project_id=project, source_id=source["id"])
    events = [event["event"] for event in client.runs.stream(run_id=run["id"])]
    assert client.runs.get(run_id=run["id"])["status"] == "succeeded"
    assert events
    one_by_one = list(every(client.episodes.list, project_id=project, limit=1))
    at_once = client.episodes.list(project_id=project)["items"]
    assert [episode["id"] for episode in one_by_one] == [episode["id"] for episode in at_once]
    assert len(at_once) > 1
    receipt = client.episodes.get_receipt(episode_id=at_once[0]["id"])
    assert len(receipt["content_hash"]) == 64


def test_says_what_the_service_refuses(client: Client) -> None:
    with pytest.raises(AssayApiError) as refused:
        client.projects.get(project_id="prj_00000000000000000000000000")
    assert (refused.value.code, refused.value.status) == ("not_found", 404)
    with pytest.raises(AssayApiError) as wrong:
        client.workspaces.create(name="", use_case="robotic-manipulation")
    assert wrong.value.errors[0]["pointer"] == "/body/name"
    with pytest.raises(AssayApiError) as stranger:
        Client(token="asy_" + "0" * 43).tenant.whoami()
    assert stranger.value.status == 401
    with pytest.raises(ValueError):
        client.projects.get(project_id="..")


def test_one_key_takes_effect_once(client: Client) -> None:
    options = CallOptions(idempotency_key="python-once")
    made = [
        client.workspaces.create(name="once", use_case="robotic-manipulation", options=options)
        for _ in range(2)
    ]
    assert made[0]["id"] == made[1]["id"]


def test_uploads_and_downloads(client: Client, tmp_path: Path) -> None:
    project = _project(client, "bytes")
    source = client.sources.create(project_id=project, body={"kind": "upload", "name": "from here"})
    file = tmp_path / "take.csv"
    file.write_text("t,x\n" + "".join(f"{row},{row}\n" for row in range(1000)))
    client.upload(Upload(source["id"], "day/take.csv", file))
    assert [item["path"] for item in every(client.sources.list_files, source_id=source["id"])] == [
        "day/take.csv"
    ]
    page = client.download("open_docs", tmp_path / "docs.html")
    assert page.read_text().startswith("<!")
    assert not list(tmp_path.glob("*.part"))


def test_tries_again_what_may_be_repeated() -> None:
    seen: list[str] = []

    def away_once(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers.get("idempotency-key", ""))
        return httpx.Response(503, headers={"retry-after": "0"}) if len(seen) == 1 else httpx.Response(
            201, json={"id": "ws_1"}
        )

    http = httpx.Client(transport=httpx.MockTransport(away_once))
    Client("http://service", http=http).workspaces.create(name="a", use_case="robotic-manipulation")
    assert len(seen) == 2 and seen[0] == seen[1] != ""

    def away(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    gone = Client("http://service", patience=Patience(tries=1), http=httpx.Client(transport=httpx.MockTransport(away)))
    with pytest.raises(AssayApiError) as unreachable:
        gone.tenant.whoami()
    assert unreachable.value.code == "unreachable"


async def test_the_asynchronous_client_does_the_same() -> None:
    async with AsyncClient() as client:
        projects = [project async for project in aevery(client.projects.list)]
        assert projects
        runs = [run async for run in aevery(client.runs.list, project_id=projects[0]["id"])]
        for run in runs:
            events = [event async for event in client.runs.stream(run_id=run["id"])]
            assert events
