# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations

from typing import List, Literal

import httpx

from ...calls import AsyncCalls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.episodes import (
    CompareEpisodes,
    Episode,
    EpisodeComparison,
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

        Several values of one filter are alternatives: `decision=review,reject`, or the name
        repeated. For `task` and `robot`, whose values may hold commas, repeat the name. Different
        filters must all match. An episode without a score counts as worse than any score: it comes
        last by `-score`, first by `score`, and passes neither `min_score` nor `max_score`.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        review_decision: a person’s newest decision; `none`: nobody has decided
        flag: with one of these flags, whatever others it has
        run_id: judged last by this run
        task: the whole text; repeat the name for several
        robot: the whole text; repeat the name for several
        """
        return await self._calls.call("list_episodes", {"project_id": project_id, "limit": limit, "cursor": cursor, "sort": sort, "decision": decision, "review_decision": review_decision, "kind": kind, "flag": flag, "outcome": outcome, "source_id": source_id, "run_id": run_id, "task": task, "robot": robot, "min_score": min_score, "max_score": max_score, "min_duration_s": min_duration_s, "max_duration_s": max_duration_s}, options)

    async def get(
        self,
        *,
        episode_id: str,
        options: CallOptions | None = None,
    ) -> Episode:
        """Get one episode with its evidence: kind, flags, checks, streams, review.

        Needs the role `viewer`.

        episode_id: id, `ep_` and a time-ordered UUID in base32
        """
        return await self._calls.call("get_episode", {"episode_id": episode_id}, options)

    async def update(
        self,
        *,
        episode_id: str,
        tags: List[str],
        options: CallOptions | None = None,
    ) -> Episode:
        """Set an episode’s tags, by which searches and slices find it.

        Needs the role `reviewer`.

        episode_id: id, `ep_` and a time-ordered UUID in base32
        """
        return await self._calls.call("update_episode", {"episode_id": episode_id, "tags": tags}, options)

    async def get_receipt(
        self,
        *,
        episode_id: str,
        run_id: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Receipt:
        """Get an episode’s receipt byte for byte as it was sealed.

        The same bytes that `assay assess` writes for the same recording and settings, canonical by
        RFC 8785. The entity tag is `content_hash`, the SHA-256 of the canonical receipt without
        that member; `assay verify` checks it offline.

        Needs the role `viewer`.

        episode_id: id, `ep_` and a time-ordered UUID in base32
        run_id: id, `run_` and a time-ordered UUID in base32
        """
        return await self._calls.call("get_receipt", {"episode_id": episode_id, "run_id": run_id}, options)

    async def list_streams(
        self,
        *,
        episode_id: str,
        options: CallOptions | None = None,
    ) -> Page[EpisodeStream]:
        """List an episode’s streams with their clocks and units.

        Needs the role `viewer`.

        episode_id: id, `ep_` and a time-ordered UUID in base32
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
        """Get the numbers of a stream, in at most so many columns.

        The window is divided into columns of equal width; each holds the least and the greatest
        value of its rows, so no spike is lost. 32-bit numbers have nine digits.

        Needs the role `viewer`.

        episode_id: id, `ep_` and a time-ordered UUID in base32
        width_px: at most this many columns
        from_s: seconds since the start of the episode; of a stream without a clock, rows
        to_s: seconds since the start of the episode; of a stream without a clock, rows
        dimension: from 0; absent: the first 64
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
        """Get the frame that a camera shows at a time.

        Read from the recording where it lies. `X-Frame-Time-S` is when the frame was taken, in
        seconds since the start of the episode; it changes at the next frame only. 404 where the
        stream has no pictures or the recording is gone, 409 where it is not the one that was
        judged, 422 with the decoder’s reason where the frame does not decode.

        Needs the role `viewer`.

        episode_id: id, `ep_` and a time-ordered UUID in base32
        at_s: seconds since the start of the episode: the last frame at or before is given
        width_px: greatest width; pictures are never enlarged
        """
        return await self._calls.call("get_frame", {"episode_id": episode_id, "stream_id": stream_id, "at_s": at_s, "width_px": width_px}, options)

    async def get_playback(
        self,
        *,
        episode_id: str,
        width_px: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Playback:
        """Get what a player shows of an episode: cameras, and signals in columns.

        Cameras say what `…/videos/{stream_id}` gives; one that cannot be shown says why. Signals
        are actions first, then states and sensors, at most eight streams.

        Needs the role `viewer`.

        episode_id: id, `ep_` and a time-ordered UUID in base32
        width_px: at most this many columns of a signal
        """
        return await self._calls.call("get_playback", {"episode_id": episode_id, "width_px": width_px}, options)

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
        """Get a camera’s video of an episode, or of part of it, as MP4 for browsers.

        Copied packet by packet from the recording where it lies; what browsers do not play (HEVC,
        MPEG-4, pictures, topics) is coded as H.264, charged to the budget and kept for the next
        request. Its time 0 is `X-Video-Starts-S`, seconds since the start of the episode;
        `Content-Type` names the codec; `X-Video-Made` is `copied` or `encoded`. Frames before 0,
        which only help to decode the first, are hidden by an edit list. 404 where the stream has no
        pictures or the recording is gone, 409 where it is not the one that was judged, 422 with the
        decoder’s reason where nothing decodes.

        Needs the role `viewer`.

        episode_id: id, `ep_` and a time-ordered UUID in base32
        codec: `recorded`: packets of H.264, AV1 and VP9 are copied as they are. `h264`: only those
        of H.264; for browsers that do not play the others
        from_s: seconds since the start of the episode
        until_s: the same, exclusive; absent: to the end
        width_px: greatest side of pictures that are encoded again; pictures are never enlarged
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
        """List people’s decisions on an episode, newest first.

        Needs the role `viewer`.

        episode_id: id, `ep_` and a time-ordered UUID in base32
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
        """Decide on an episode; the newest decision counts, beside the machine’s.

        Needs the role `reviewer`.

        episode_id: id, `ep_` and a time-ordered UUID in base32
        receipt_id: id, `rcp_` and a time-ordered UUID in base32
        """
        return await self._calls.call("create_review", {"episode_id": episode_id, "decision": decision, "note": note, "receipt_id": receipt_id}, options)

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
        """List findings on the recordings as a whole, worst first.

        From the newest finished run of each source.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
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
        """Summarise a project’s episodes, as facts and in words.

        Covers all episodes, or those that pass the filters of `list_episodes`. The same facts make
        the same text; no model is used.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        review_decision: a person’s newest decision; `none`: nobody has decided
        flag: with one of these flags, whatever others it has
        run_id: judged last by this run
        task: the whole text; repeat the name for several
        robot: the whole text; repeat the name for several
        """
        return await self._calls.call("summarise_project", {"project_id": project_id, "decision": decision, "review_decision": review_decision, "kind": kind, "flag": flag, "outcome": outcome, "source_id": source_id, "run_id": run_id, "task": task, "robot": robot, "min_score": min_score, "max_score": max_score, "min_duration_s": min_duration_s, "max_duration_s": max_duration_s}, options)

    async def compare(
        self,
        *,
        project_id: str,
        body: CompareEpisodes,
        options: CallOptions | None = None,
    ) -> EpisodeComparison:
        """Compare what two runs judged, or what two slices hold.

        Each side is counted as its receipts judged it then: an earlier run as it was, a slice as
        when it was made. Decisions are those of the checks. Both sides share their bins of
        durations; `changes` are episodes of both that were judged otherwise.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return await self._calls.call("compare_episodes", {"project_id": project_id, "body": body}, options, whole_body=True)
