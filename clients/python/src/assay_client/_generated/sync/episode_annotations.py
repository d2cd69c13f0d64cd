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

        In catalog order, without content. Get the content of each layer separately.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
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
        """Get an episode’s annotation for a layer, with manual edits.

        The content is checked against its stored hash. Returns 404 if the episode does not have the
        layer, with instructions for creating it.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
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

        Queues a job for one episode and waits for it. The same checks and budget apply as for other
        jobs. The job continues if the client disconnects. Returns 413 if the estimate is over 60
        seconds; queue a job instead. Returns 503 with the job’s id if it takes over 120 seconds;
        repeat the request to keep waiting.

        Requires the role `engineer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
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
        """Edit an episode’s detailed description.

        The generated text and earlier edits are kept. Episodes without generated text can be given
        one too. Sending the same text again has no effect. Set `over` to the id of the edit that
        you are replacing: returns 409 with the newer edit if somebody has edited the text since.

        Requires the role `reviewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
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
        """Get one file of a layer’s annotation.

        The annotation lists its parts with their media types; `artifact` is the main file. The
        content is checked against its stored hash, which is also the `ETag`.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
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
        """Get an annotation drawn over its camera frame.

        Boxes, masks, hands, bodies and tracks are drawn in place, depth and optical flow as colours
        with a scale, and text in a strip below the frame. `X-Frame-Time-S` is the time of the frame
        in seconds since the start of the episode. Returns 404 if the episode does not have the
        layer (with instructions for creating it), if the layer has no output for the camera, or if
        the recording is no longer available; 422 if the time is outside the episode.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
        t: Seconds since the start of the episode. Shows the last annotated frame at or before this
        time.
        camera: Id of the camera stream. Defaults to the first camera with annotations of this
        layer.
        width_px: Width of the image in pixels. Smaller frames are enlarged.
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
        """List manual edits of an episode’s layer text, newest first.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
        """
        return self._calls.call("list_annotation_edits", {"project_id": project_id, "episode_id": episode_id, "layer": layer, "limit": limit, "cursor": cursor}, options)
