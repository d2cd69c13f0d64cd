import { join } from 'node:path';
import { AssayError } from '#core';
import { type CodedVideo, type ListedPacket, openCodedVideo, PacketCopier } from '#io/video';
import { isLfsPointerFile, type LeRobotDraft, listVideoCameras, type VideoTiming } from '../draft.ts';
import type { DraftEpisode } from '../tables.ts';
import { videoFilesV3, videoPathV2, videoPathV3 } from '../video-paths.ts';
import { formatList, type LeRobotFix, recordChange, recordUnfixed } from './fix.ts';
import { setWindow } from './windows.ts';

/**
 * Fix (`--video`): restamps frames to multiples of 1 / fps, and cuts out frames without rows. Packets are copied, not
 * re-encoded.
 */
export const videos: LeRobotFix = {
  id: 'videos',
  title: 'Align frame timestamps to multiples of 1 / fps, and remove frames of discarded takes (--video)',
  answers: ['video_stamps_off_grid', 'camera_rows_refused', 'camera_frames_extra', 'camera_rate_mismatch'],
  run: async (draft) => {
    if (!(Number(draft.info.value.fps) > 0)) return;
    for (const camera of listVideoCameras(draft.info.value))
      for (const shared of listSharedVideos(draft, camera)) await fixVideo(draft, camera, shared);
  },
};

/** A video file and the episodes whose frames it holds, in order. */
interface SharedVideo {
  readonly path: string;
  readonly episodes: readonly DraftEpisode[];
}

/** Lists a camera's video files with their episodes. */
function listSharedVideos(draft: LeRobotDraft, camera: string): SharedVideo[] {
  if (draft.layout === 'v2')
    return draft.episodes.map((episode) => ({
      path: videoPathV2(draft, camera, episode.index),
      episodes: [episode],
    }));
  return videoFilesV3(draft, camera).map(({ path, chunk, file }) => ({
    path,
    episodes: draft.episodes
      .filter(({ videos }) => videos.get(camera)?.chunk === chunk && videos.get(camera)?.file === file)
      .sort((a, b) => a.videos.get(camera)!.from_s - b.videos.get(camera)!.from_s),
  }));
}

/** Plans the rewrite of one video; reports it as unfixed without `--video` or if packets cannot be cut. */
async function fixVideo(draft: LeRobotDraft, camera: string, shared: SharedVideo): Promise<void> {
  const rate_hz = Number(draft.info.value.fps);
  const fact = await draft.videos.get(shared.path);
  if (fact === null || shared.episodes.length === 0) return;
  const rows = shared.episodes.reduce((sum, { length }) => sum + (length ?? 0), 0);
  const spare =
    fact.frames > rows ? findSpareFrames(draft, camera, shared, fact, rate_hz) : new Set<number>();
  if (spare === null || fact.frames - spare.size !== rows) return;
  if (spare.size === 0 && isOnGrid(fact, rate_hz)) return;
  const code = spare.size > 0 ? 'camera_frames_extra' : 'video_stamps_off_grid';
  const description =
    spare.size > 0
      ? `${spare.size} frames of a discarded take, from frame ${Math.min(...spare)}`
      : `frame timestamps are not multiples of 1 / ${rate_hz} s, off by up to ${(1000 * worstOffset_s(fact, rate_hz)).toPrecision(3)} ms`;
  if (!draft.options.video)
    return recordUnfixed(draft, code, {
      path: shared.path,
      message: `${shared.path}: ${description}`,
      advice: 'Pass --video to rewrite the file without re-encoding it.',
    });
  const source = join(draft.root, shared.path);
  const keep = (frame: number) => !spare.has(frame);
  if (!(await canCut(source, fact.frames, keep)))
    return recordUnfixed(draft, code, {
      path: shared.path,
      message: `${shared.path}: ${description}; this cannot be fixed without re-encoding`,
      advice: 'Re-encode the video.',
    });
  const { frames } = fact;
  draft.rewrittenVideos.set(shared.path, async (target) => {
    if (!(await writeCut(source, target, { frames, rate_hz, keep }))) throw sourceChangedError(shared.path);
  });
  draft.videos.setPlanned(shared.path, rows, rate_hz);
  recordChange(
    draft,
    videos,
    spare.size > 0 ? [code] : [code, 'camera_rows_refused', 'camera_rate_mismatch'],
    {
      path: shared.path,
      what:
        spare.size > 0
          ? `frames without a row, episodes ${formatList(shared.episodes.map(({ index }) => index))}`
          : 'frame timestamps',
      before: description,
      after: spare.size > 0 ? `${rows} frames for ${rows} rows` : `multiples of 1 / ${rate_hz} s`,
    },
  );
  if (draft.layout === 'v3') recountWindows(draft, camera, shared, rate_hz);
}

const sourceChangedError = (path: string): AssayError =>
  new AssayError('unreadable_input', `${path} has changed since the fix was planned`, {
    path,
    advice: 'wait until nothing writes to it, then run assay fix again',
  });

/** Returns the frames without a row; null if the windows do not determine them. */
function findSpareFrames(
  draft: LeRobotDraft,
  camera: string,
  { episodes }: SharedVideo,
  { frames }: VideoTiming,
  rate_hz: number,
): Set<number> | null {
  const spare = new Set<number>();
  if (draft.layout === 'v2') {
    for (let frame = episodes[0].length ?? frames; frame < frames; frame++) spare.add(frame);
    return spare;
  }
  let next = 0;
  for (const { videos, length } of episodes) {
    const { from_s, to_s } = videos.get(camera)!;
    const [first, end] = [from_s, to_s].map((at_s) => Math.round(at_s * rate_hz));
    if (first !== next || end - first < (length ?? 0)) return null;
    for (let frame = first + (length ?? 0); frame < end; frame++) spare.add(frame);
    next = end;
  }
  for (let frame = next; frame < frames; frame++) spare.add(frame);
  return spare;
}

/** Recomputes the windows of a rewritten video from row counts. */
function recountWindows(
  draft: LeRobotDraft,
  camera: string,
  { episodes }: SharedVideo,
  rate_hz: number,
): void {
  let before = 0;
  for (const episode of episodes) {
    const window = episode.videos.get(camera)!;
    const after = before + (episode.length ?? 0);
    setWindow(draft, episode, camera, { ...window, from_s: before / rate_hz, to_s: after / rate_hz });
    before = after;
  }
}

/** The library's tolerance between a frame and the grid, in seconds. */
const gridTolerance_s = 1e-4;

function isOnGrid(fact: VideoTiming, rate_hz: number): boolean {
  return worstOffset_s(fact, rate_hz) <= gridTolerance_s;
}

/** Returns the largest offset of a frame from the grid, in seconds. */
function worstOffset_s({ time_s }: VideoTiming, rate_hz: number): number {
  return time_s.reduce((most, at_s, frame) => Math.max(most, Math.abs(at_s - frame / rate_hz)), 0);
}

/** Time base ticks per frame, so that any integer rate is exact. */
const ticksPerFrame = 512;

/** True if the frame at this presentation position is retained. */
type KeepFrame = (shown: number) => boolean;

/**
 * Writes the frames of a video that `keep` selects to `target`, without re-encoding and at times of position /
 * `rate_hz`; returns false if that is impossible. It is impossible if the file does not have exactly `frames` frames,
 * or a retained frame depends on a removed one.
 */
export async function writeCut(
  source: string,
  target: string,
  { frames, rate_hz, keep }: { readonly frames: number; readonly rate_hz: number; readonly keep: KeepFrame },
): Promise<boolean> {
  const video = await openCodedVideo(source);
  try {
    const kept = selectPackets(video.packets, frames, keep);
    if (kept === null) return false;
    const fresh = restamp(video, kept, rate_hz);
    const copier = await PacketCopier.open(target, fresh, { hides: true });
    try {
      for await (const [place, packet] of video.read(new Set(kept))) copier.write(packet, place, 0, fresh);
    } finally {
      await copier.close();
    }
    return true;
  } finally {
    await video.close();
  }
}

/**
 * Returns true if `writeCut` could select these frames, without writing anything; false also if the video cannot be
 * opened.
 */
export async function canCut(source: string, frames: number, keep: KeepFrame): Promise<boolean> {
  const video = await openCodedVideo(source).catch(() => null);
  if (video === null) return false;
  await video.close();
  return selectPackets(video.packets, frames, keep) !== null;
}

/**
 * Returns the retained packets in decoding order; null if a retained frame is decoded from a removed one, since
 * decoding must restart after a cut.
 */
function selectPackets(packets: readonly ListedPacket[], frames: number, keep: KeepFrame): number[] | null {
  if (packets.length !== frames) return null;
  const shown = presentationOrder(packets.map(({ pts }) => pts));
  const stays = packets.map((_, at) => keep(shown[at]));
  for (const [at, { key }] of packets.entries()) {
    if (!stays[at] || at === 0 || stays[at - 1]) continue;
    const group = packets.slice(at).findIndex((one, behind) => behind > 0 && one.key);
    const end = group < 0 ? packets.length : at + group;
    if (!key || shown.slice(at, end).some((place) => place < shown[at])) return null;
  }
  const kept = [...packets.keys()].filter((at) => stays[at]);
  return kept.length === 0 || !packets[kept[0]].key ? null : kept;
}

/** Returns the presentation position of each frame. */
function presentationOrder(pts: readonly number[]): number[] {
  const order = pts.map((_, at) => at).sort((a, b) => pts[a] - pts[b] || a - b);
  const places = new Array<number>(pts.length);
  for (const [place, at] of order.entries()) places[at] = place;
  return places;
}

/** Returns the video with retained frames on the grid: the first is shown at 0 and decoded early enough. */
function restamp(video: CodedVideo, packetIndexes: readonly number[], rate_hz: number): CodedVideo {
  const shown = presentationOrder(packetIndexes.map((at) => video.packets[at].pts));
  const delay = Math.max(...shown.map((place, at) => at - place));
  const packets = [...video.packets];
  for (const [at, place] of packetIndexes.entries())
    packets[place] = {
      ...packets[place],
      pts: shown[at] * ticksPerFrame,
      dts: (at - delay) * ticksPerFrame,
      duration: ticksPerFrame,
    };
  const den = Math.round(rate_hz * ticksPerFrame);
  return { ...video, packets, time_base: { num: 1, den }, frame_rate: { num: den, den: ticksPerFrame } };
}

/** Reports videos that are missing, unreadable or have fewer frames than rows; changes nothing. */
export const reportVideos: LeRobotFix = {
  id: 'name-videos',
  title: 'List videos that cannot be fixed',
  answers: [],
  run: async (draft) => {
    const there = new Set(draft.paths);
    for (const camera of listVideoCameras(draft.info.value)) {
      const rows = new Map<string, { rows: number; episodes: number[] }>();
      for (const episode of draft.episodes) {
        const window = episode.videos.get(camera);
        if (draft.layout === 'v3' && window === undefined) continue;
        const path =
          window === undefined
            ? videoPathV2(draft, camera, episode.index)
            : videoPathV3(draft, camera, window.chunk, window.file);
        const known = rows.get(path) ?? { rows: 0, episodes: [] };
        known.rows += episode.length ?? 0;
        known.episodes.push(episode.index);
        rows.set(path, known);
      }
      reportMissingVideos(draft, camera, [...rows], there);
      for (const [path, held] of rows) if (there.has(path)) await checkVideo(draft, path, held);
    }
  },
};

/** Reports a camera's missing videos as unfixed. */
function reportMissingVideos(
  draft: LeRobotDraft,
  camera: string,
  videos: readonly (readonly [string, { readonly episodes: readonly number[] }])[],
  there: ReadonlySet<string>,
): void {
  const missing = videos.filter(([path]) => !there.has(path));
  if (missing.length === 0) return;
  const episodes = missing.flatMap(([, held]) => held.episodes);
  recordUnfixed(draft, 'videos_missing', {
    path: missing[0][0],
    message: `${missing.length === 1 ? 'a video' : `${missing.length} videos`} of ${camera} ${missing.length === 1 ? 'is' : 'are'} missing, with the frames of episodes ${formatList(episodes)}: ${formatList(
      missing.map(([path]) => path),
      2,
    )}`,
    advice: 'Copy or download the missing files, or remove these episodes with LeRobot’s delete_episodes.',
  });
}

/** Reports a video that cannot be read or has too few frames as unfixed. */
async function checkVideo(
  draft: LeRobotDraft,
  path: string,
  { rows, episodes }: { readonly rows: number; readonly episodes: readonly number[] },
): Promise<void> {
  const of = `${episodes.length === 1 ? 'episode' : 'episodes'} ${formatList(episodes)}`;
  const fact = await draft.videos.get(path);
  if (fact === null) {
    const pointer = isLfsPointerFile(join(draft.root, path));
    return recordUnfixed(draft, pointer ? 'lfs_pointers' : 'image_undecodable', {
      path,
      message: pointer
        ? `${path} is a Git LFS pointer instead of the video of ${of}`
        : `cannot read ${path}, the video of ${of}: its index is missing or incomplete`,
      advice: pointer
        ? 'Download it: run git lfs install and git lfs pull in the folder.'
        : 'Copy it again from the recording machine, or re-record its episodes.',
    });
  }
  if (fact.frames < rows)
    recordUnfixed(draft, 'camera_frames_missing', {
      path,
      message: `${path} has ${fact.frames} frames, but ${of} ${episodes.length === 1 ? 'has' : 'have'} ${rows} rows`,
      advice: 'Re-record these episodes, or exclude them: frame counts do not show which rows have no frame.',
    });
}
