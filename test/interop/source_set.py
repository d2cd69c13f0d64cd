"""Rows and windows of a LeRobot set of version 2 or 3, read without the library."""

import pathlib

import pyarrow.dataset as ds


def source_rows(root: pathlib.Path, episode: int) -> dict:
    table = ds.dataset(sorted(str(path) for path in (root / "data").rglob("*.parquet"))).to_table(
        filter=ds.field("episode_index") == episode
    )
    return table.to_pydict()


def source_window(root: pathlib.Path, camera: str, episode: int) -> tuple[pathlib.Path, float]:
    if (root / "meta/episodes").exists():
        rows = ds.dataset(sorted(str(path) for path in (root / "meta/episodes").rglob("*.parquet"))).to_table(
            filter=ds.field("episode_index") == episode
        ).to_pylist()
        chunk, file = rows[0][f"videos/{camera}/chunk_index"], rows[0][f"videos/{camera}/file_index"]
        return root / f"videos/{camera}/chunk-{chunk:03d}/file-{file:03d}.mp4", rows[0][f"videos/{camera}/from_timestamp"]
    return next((root / "videos").rglob(f"{camera}/episode_{episode:06d}.mp4")), 0.0
