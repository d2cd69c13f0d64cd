# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal

import httpx

from ...calls import AsyncCalls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.episodes import (
    CompareEpisodes,
    EmbeddingMap,
    Episode,
    EpisodeComparison,
    EpisodePoses,
    EpisodeStream,
    Playback,
    ProjectFinding,
    ProjectSummary,
    Receipt,
    Review,
    StreamSamples,
)
from ..types.shared import (
    EpisodeSummary,
    Kind,
)


class AsyncEpisodesOperations:
    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def list(
        self,
        *,
        project_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        sort: Literal["score", "-score", "duration_s", "-duration_s", "created", "-created", "name"] | Omitted = OMITTED,
        decision: List[Literal["accept", "review", "reject"]] | Omitted = OMITTED,
        review_decision: List[Literal["accept", "review", "reject", "none"]] | Omitted = OMITTED,
        kind: List[Kind] | Omitted = OMITTED,
        flag: List[str] | Omitted = OMITTED,
        tags: List[str] | Omitted = OMITTED,
        outcome: List[Literal["success", "failure", "unknown"]] | Omitted = OMITTED,
        source_id: List[str] | Omitted = OMITTED,
        run_id: List[str] | Omitted = OMITTED,
        task: List[str] | Omitted = OMITTED,
        robot: List[str] | Omitted = OMITTED,
        min_score: float | Omitted = OMITTED,
        max_score: float | Omitted = OMITTED,
        min_duration_s: float | Omitted = OMITTED,
        max_duration_s: float | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[EpisodeSummary]:
        """List a project’s episodes, filtered and sorted.

        Separate several values of a filter by commas (`decision=review,reject`) or repeat the
        parameter; an episode matches if any of them matches. Repeat the parameter for `task` and
        `robot`, whose values may contain commas. An episode must match all filters. Episodes
        without a score are sorted as the lowest (last with `-score`, first with `score`) and are
        excluded by `min_score` and `max_score`.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        review_decision: Latest review decision; `none` for episodes without a review.
        flag: Episodes with at least one of these flags.
        tags: Tag set by users.
        run_id: Episodes last evaluated by this run.
        task: Exact text; repeat the parameter for several values.
        robot: Exact text; repeat the parameter for several values.
        """
        return await self._calls.call("list_episodes", {"project_id": project_id, "limit": limit, "cursor": cursor, "sort": sort, "decision": decision, "review_decision": review_decision, "kind": kind, "flag": flag, "tags": tags, "outcome": outcome, "source_id": source_id, "run_id": run_id, "task": task, "robot": robot, "min_score": min_score, "max_score": max_score, "min_duration_s": min_duration_s, "max_duration_s": max_duration_s}, options)

    async def get(
        self,
        *,
        episode_id: str,
        options: CallOptions | None = None,
    ) -> Episode:
        """Get an episode with its kind, flags, checks, streams and review.

        Requires the role `viewer` or higher.

        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_episode", {"episode_id": episode_id}, options)

    async def update(
        self,
        *,
        episode_id: str,
        tags: List[str],
        options: CallOptions | None = None,
    ) -> Episode:
        """Set an episode’s tags for search and slices.

        Requires the role `reviewer` or higher.

        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("update_episode", {"episode_id": episode_id, "tags": tags}, options)

    async def get_receipt(
        self,
        *,
        episode_id: str,
        run_id: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Receipt:
        """Get an episode’s receipt, byte for byte.

        Identical to the receipt that `assay assess` writes for the same recording and settings:
        canonical JSON (RFC 8785). The `ETag` is `content_hash`, the SHA-256 of the canonical
        receipt without that field; `assay verify` checks it offline.

        Requires the role `viewer` or higher.

        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
        run_id: Id: `run_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("get_receipt", {"episode_id": episode_id, "run_id": run_id}, options)

    async def list_streams(
        self,
        *,
        episode_id: str,
        options: CallOptions | None = None,
    ) -> Page[EpisodeStream]:
        """List an episode’s streams with their clocks and units.

        Requires the role `viewer` or higher.

        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("list_streams", {"episode_id": episode_id}, options)

    async def get_stream(
        self,
        *,
        episode_id: str,
        stream_id: str,
        width_px: int | Omitted = OMITTED,
        from_s: float | Omitted = OMITTED,
        to_s: float | Omitted = OMITTED,
        dimension: List[int] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> StreamSamples:
        """Get a stream’s values, downsampled to a number of columns.

        The time window is divided into columns of equal width. Each column holds the minimum and
        maximum of its samples, so no spike is lost. 32-bit values have nine significant digits.

        Requires the role `viewer` or higher.

        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
        width_px: Maximum number of columns.
        from_s: Seconds since the start of the episode; row number for streams without timestamps.
        to_s: Seconds since the start of the episode; row number for streams without timestamps.
        dimension: Zero-based indices of dimensions. Defaults to the first 64.
        """
        return await self._calls.call("get_stream", {"episode_id": episode_id, "stream_id": stream_id, "width_px": width_px, "from_s": from_s, "to_s": to_s, "dimension": dimension}, options)

    async def get_frame(
        self,
        *,
        episode_id: str,
        stream_id: str,
        at_s: float | Omitted = OMITTED,
        width_px: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> httpx.Response:
        """Get a camera frame at a given time.

        Read directly from the recording. `X-Frame-Time-S` is the time of the frame in seconds since
        the start of the episode. Returns 404 if the stream has no frames or the recording is no
        longer available, 409 if the recording has changed since it was evaluated, and 422 with the
        decoder’s message if the frame cannot be decoded.

        Requires the role `viewer` or higher.

        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
        at_s: Seconds since the start of the episode. Returns the last frame at or before this time.
        width_px: Maximum width in pixels. Frames are never enlarged.
        """
        return await self._calls.call("get_frame", {"episode_id": episode_id, "stream_id": stream_id, "at_s": at_s, "width_px": width_px}, options)

    async def get_playback(
        self,
        *,
        episode_id: str,
        width_px: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Playback:
        """Get the cameras and downsampled signals for an episode player.

        Each camera describes the video served by `…/videos/{stream_id}`, or the reason why it
        cannot be played. Signals list actions first, then states and sensors, at most eight
        streams.

        Requires the role `viewer` or higher.

        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
        width_px: Maximum number of columns per signal.
        """
        return await self._calls.call("get_playback", {"episode_id": episode_id, "width_px": width_px}, options)

    async def get_poses(
        self,
        *,
        episode_id: str,
        points: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> EpisodePoses:
        """Get the paths of end effectors, objects, cameras and bases of an episode.

        Poses are recognised by the names, shapes and units of state, odometry and other streams:
        dimensions named x, y and z, streams named as a position of something, and transforms and
        quaternions whose values prove it. Joint angles, velocities, commands and targets are never
        treated as positions. Poses are returned as recorded: the recording does not state how their
        coordinate frames relate to each other. At most twelve; empty if the episode has none.

        Requires the role `viewer` or higher.

        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
        points: Maximum number of points per pose. Longer paths are simplified so that their turns
        remain.
        """
        return await self._calls.call("get_poses", {"episode_id": episode_id, "points": points}, options)

    async def get_video(
        self,
        *,
        episode_id: str,
        stream_id: str,
        codec: Literal["recorded", "h264"] | Omitted = OMITTED,
        from_s: float | Omitted = OMITTED,
        until_s: float | Omitted = OMITTED,
        width_px: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> httpx.Response:
        """Get a camera’s video of an episode as MP4 for browsers.

        Packets are copied from the recording. Formats that browsers cannot play (HEVC, MPEG-4,
        image files, image topics) are encoded as H.264, which is charged to the budget and cached.
        `X-Video-Starts-S` is the episode time of the start of the video, in seconds; `Content-Type`
        names the codec; `X-Video-Made` is `copied` or `encoded`. Frames before the start that are
        needed for decoding are hidden by an edit list. Returns 404 if the stream has no frames or
        the recording is no longer available, 409 if the recording has changed since it was
        evaluated, and 422 with the decoder’s message if nothing can be decoded.

        Requires the role `viewer` or higher.

        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
        codec: `recorded`: H.264, AV1 and VP9 video is copied without re-encoding. `h264`: only
        H.264 is copied, for browsers that cannot play AV1 or VP9.
        from_s: Start of the video, in seconds since the start of the episode.
        until_s: End of the video (exclusive), in seconds since the start of the episode. Defaults
        to the end of the episode.
        width_px: Maximum width and height in pixels if the video is re-encoded. Frames are never
        enlarged.
        """
        return await self._calls.call("get_video", {"episode_id": episode_id, "stream_id": stream_id, "codec": codec, "from_s": from_s, "until_s": until_s, "width_px": width_px}, options)

    async def list_reviews(
        self,
        *,
        episode_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[Review]:
        """List the reviews of an episode, newest first.

        Requires the role `viewer` or higher.

        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("list_reviews", {"episode_id": episode_id, "limit": limit, "cursor": cursor}, options)

    async def create_review(
        self,
        *,
        episode_id: str,
        decision: Literal["accept", "review", "reject"],
        note: str | Omitted = OMITTED,
        receipt_id: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Review:
        """Review an episode.

        Requires the role `reviewer` or higher.

        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
        receipt_id: Id: `rcp_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("create_review", {"episode_id": episode_id, "decision": decision, "note": note, "receipt_id": receipt_id}, options)

    async def withdraw_review(
        self,
        *,
        episode_id: str,
        review_id: str,
        options: CallOptions | None = None,
    ) -> Review:
        """Withdraw a review, so that the decision before it is in effect again.

        Without an earlier review, the episode is unreviewed again and the automatic decision
        applies. The review stays in the list. Withdrawing it twice changes nothing.

        Requires the role `reviewer` or higher.

        episode_id: Id: `ep_` followed by a time-ordered UUID in base32.
        review_id: Id: `rev_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("withdraw_review", {"episode_id": episode_id, "review_id": review_id}, options)

    async def list_project_findings(
        self,
        *,
        project_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        severity: List[Literal["blocking", "error", "warning", "info"]] | Omitted = OMITTED,
        code: List[str] | Omitted = OMITTED,
        source_id: List[str] | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[ProjectFinding]:
        """List dataset findings, most severe first.

        From the latest finished run of each source.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("list_project_findings", {"project_id": project_id, "limit": limit, "cursor": cursor, "severity": severity, "code": code, "source_id": source_id}, options)

    async def summarise_project(
        self,
        *,
        project_id: str,
        decision: List[Literal["accept", "review", "reject"]] | Omitted = OMITTED,
        review_decision: List[Literal["accept", "review", "reject", "none"]] | Omitted = OMITTED,
        kind: List[Kind] | Omitted = OMITTED,
        flag: List[str] | Omitted = OMITTED,
        tags: List[str] | Omitted = OMITTED,
        outcome: List[Literal["success", "failure", "unknown"]] | Omitted = OMITTED,
        source_id: List[str] | Omitted = OMITTED,
        run_id: List[str] | Omitted = OMITTED,
        task: List[str] | Omitted = OMITTED,
        robot: List[str] | Omitted = OMITTED,
        min_score: float | Omitted = OMITTED,
        max_score: float | Omitted = OMITTED,
        min_duration_s: float | Omitted = OMITTED,
        max_duration_s: float | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> ProjectSummary:
        """Summarise a project’s episodes as numbers and text.

        Covers all episodes, or those that match the filters of `list_episodes`. The text is
        generated from the numbers without a language model.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        review_decision: Latest review decision; `none` for episodes without a review.
        flag: Episodes with at least one of these flags.
        tags: Tag set by users.
        run_id: Episodes last evaluated by this run.
        task: Exact text; repeat the parameter for several values.
        robot: Exact text; repeat the parameter for several values.
        """
        return await self._calls.call("summarise_project", {"project_id": project_id, "decision": decision, "review_decision": review_decision, "kind": kind, "flag": flag, "tags": tags, "outcome": outcome, "source_id": source_id, "run_id": run_id, "task": task, "robot": robot, "min_score": min_score, "max_score": max_score, "min_duration_s": min_duration_s, "max_duration_s": max_duration_s}, options)

    async def map(
        self,
        *,
        project_id: str,
        decision: List[Literal["accept", "review", "reject"]] | Omitted = OMITTED,
        review_decision: List[Literal["accept", "review", "reject", "none"]] | Omitted = OMITTED,
        kind: List[Kind] | Omitted = OMITTED,
        flag: List[str] | Omitted = OMITTED,
        tags: List[str] | Omitted = OMITTED,
        outcome: List[Literal["success", "failure", "unknown"]] | Omitted = OMITTED,
        source_id: List[str] | Omitted = OMITTED,
        run_id: List[str] | Omitted = OMITTED,
        task: List[str] | Omitted = OMITTED,
        robot: List[str] | Omitted = OMITTED,
        min_score: float | Omitted = OMITTED,
        max_score: float | Omitted = OMITTED,
        min_duration_s: float | Omitted = OMITTED,
        max_duration_s: float | Omitted = OMITTED,
        descriptor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> EmbeddingMap:
        """Map a project’s episodes in 2D by similarity.

        Projects the vectors of a descriptor to their first two principal components. Only vectors
        of the most frequent layout are comparable; `not_mapped` counts the other episodes with the
        reasons. Takes the filters of `list_episodes`.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        review_decision: Latest review decision; `none` for episodes without a review.
        flag: Episodes with at least one of these flags.
        tags: Tag set by users.
        run_id: Episodes last evaluated by this run.
        task: Exact text; repeat the parameter for several values.
        robot: Exact text; repeat the parameter for several values.
        descriptor: Descriptor whose vectors are projected: `motion` or `picture`.
        """
        return await self._calls.call("map_episodes", {"project_id": project_id, "decision": decision, "review_decision": review_decision, "kind": kind, "flag": flag, "tags": tags, "outcome": outcome, "source_id": source_id, "run_id": run_id, "task": task, "robot": robot, "min_score": min_score, "max_score": max_score, "min_duration_s": min_duration_s, "max_duration_s": max_duration_s, "descriptor": descriptor}, options)

    async def compare(
        self,
        *,
        project_id: str,
        body: CompareEpisodes,
        options: CallOptions | None = None,
    ) -> EpisodeComparison:
        """Compare the episodes of two runs or two slices.

        Each side uses its own receipts: those of the run, or those at the time the slice was
        created. Decisions are those of the checks, not of reviewers. Both sides use the same
        duration bins; `changes` lists episodes in both whose decision differs.

        Requires the role `viewer` or higher.

        project_id: Id: `prj_` followed by a time-ordered UUID in base32.
        """
        return await self._calls.call("compare_episodes", {"project_id": project_id, "body": body}, options, whole_body=True)
