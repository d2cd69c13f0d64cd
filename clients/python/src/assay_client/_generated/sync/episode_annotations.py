# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import Any, Literal

import httpx

from ...calls import Calls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.episode_annotations import (
    AnnotationEdit,
    EpisodeAnnotation,
    EpisodeAnnotationSummary,
)
from ..types.shared import (
    JobLayerId,
    LayerId,
)


class EpisodeAnnotationsOperations:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        project_id: str,
        episode_id: str,
        options: CallOptions | None = None,
    ) -> Page[EpisodeAnnotationSummary]:
        """List the annotation layers of an episode.

        In the order of the catalog, without their content: get that layer by layer.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        episode_id: id, `ep_` and a time-ordered UUID in base32
        """
        return self._calls.call("list_episode_annotations", {"project_id": project_id, "episode_id": episode_id}, options)

    def get(
        self,
        *,
        project_id: str,
        episode_id: str,
        layer: JobLayerId,
        options: CallOptions | None = None,
    ) -> EpisodeAnnotation:
        """Get a layer’s annotation of an episode, with a person’s edit beside it.

        The bytes are checked against their stored hash. If the episode does not carry the layer,
        the error says how to make it.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        episode_id: id, `ep_` and a time-ordered UUID in base32
        """
        return self._calls.call("get_episode_annotation", {"project_id": project_id, "episode_id": episode_id, "layer": layer}, options)

    def annotate(
        self,
        *,
        project_id: str,
        episode_id: str,
        layer: JobLayerId,
        force: bool | Omitted = OMITTED,
        config: dict[str, Any] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> EpisodeAnnotation:
        """Run one layer on one episode and return the result.

        Queues a job of one episode and waits for it, under the same guards and the same budget as
        any job. The job continues if the client disconnects. Work estimated at more than 60 seconds
        is refused with the advice to queue it. After 120 seconds the answer is 503 with the job’s
        id; the same request waits for that job again until it ends.

        Needs the role `engineer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        episode_id: id, `ep_` and a time-ordered UUID in base32
        """
        return self._calls.call("annotate_episode", {"project_id": project_id, "episode_id": episode_id, "layer": layer, "force": force, "config": config}, options)

    def edit_dense_text(
        self,
        *,
        project_id: str,
        episode_id: str,
        layer: Literal["dense_text"],
        text: str,
        over: str | None | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> EpisodeAnnotation:
        """Replace the machine’s text by a person’s.

        The machine’s text and earlier edits are kept. An episode without a machine’s text can be
        given one too. Sending the same text again changes nothing. With `over` nothing is written
        over what was not read: if somebody has written since, the answer is 409 and names that
        edit.

        Needs the role `reviewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        episode_id: id, `ep_` and a time-ordered UUID in base32
        """
        return self._calls.call("edit_dense_text", {"project_id": project_id, "episode_id": episode_id, "layer": layer, "text": text, "over": over}, options)

    def get_part(
        self,
        *,
        project_id: str,
        episode_id: str,
        layer: JobLayerId,
        part: str,
        options: CallOptions | None = None,
    ) -> httpx.Response:
        """Get one part of a layer’s annotation, as it was written.

        The annotation lists its parts with their media types; `artifact` is the artifact itself.
        The bytes are checked against their stored hash, which is also the ETag.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        episode_id: id, `ep_` and a time-ordered UUID in base32
        """
        return self._calls.call("get_annotation_part", {"project_id": project_id, "episode_id": episode_id, "layer": layer, "part": part}, options)

    def get_overlay(
        self,
        *,
        project_id: str,
        episode_id: str,
        layer: LayerId,
        t: float | Omitted = OMITTED,
        camera: str | Omitted = OMITTED,
        width_px: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> httpx.Response:
        """Get what a layer says of an episode, drawn over the picture it says it of.

        Boxes, masks, hands, bodies and tracks stand where they were found, depth and flow are
        colours with a scale, and texts a strip below. `X-Frame-Time-S` is when the picture was
        taken, in seconds since the start of the episode. 404 where the episode does not carry the
        layer, with how to make it, where the layer says nothing of the camera, or where the
        recording is gone; 422 for a time outside the episode.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        episode_id: id, `ep_` and a time-ordered UUID in base32
        t: seconds since the start of the episode: the last picture at or before that the layer says
        something of is shown
        camera: id of the stream; absent: the first camera that the layer says something of
        width_px: width of the picture; smaller pictures are enlarged to it
        """
        return self._calls.call("get_overlay", {"project_id": project_id, "episode_id": episode_id, "layer": layer, "t": t, "camera": camera, "width_px": width_px}, options)

    def list_edits(
        self,
        *,
        project_id: str,
        episode_id: str,
        layer: JobLayerId,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[AnnotationEdit]:
        """List what people wrote over a layer’s text of an episode, newest first.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        episode_id: id, `ep_` and a time-ordered UUID in base32
        """
        return self._calls.call("list_annotation_edits", {"project_id": project_id, "episode_id": episode_id, "layer": layer, "limit": limit, "cursor": cursor}, options)
