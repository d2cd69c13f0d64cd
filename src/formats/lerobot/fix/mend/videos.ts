import { join } from 'node:path';
import { AssayError } from '#core';
import { type CodedVideo, type ListedPacket, openCodedVideo, PacketCopier } from '#io/video';
import { camerasOf, type LeRobotDraft, type VideoFact } from '../draft/draft.ts';
import type { DraftEpisode } from '../draft/episode.ts';
import { videoFilesV3, videoPathV2 } from '../draft/video-paths.ts';
import { changed, few, type Mend, unfixed } from './mend.ts';
import { putWindow } from './windows.ts';

/** `--video`: frames lie on the grid of the rows, and none belongs to no row. Packets are copied, never encoded. */
export const videos: Mend = {
  id: 'videos',
  title: 'Frames are stamped at multiples of 1 / fps, and those of discarded takes are cut out (--video)',
  answers: ['video_stamps_off_grid', 'camera_rows_refused', 'camera_frames_extra', 'camera_rate_mismatch'],
  run: async (draft) => {
    if (!(Number(draft.info.value.fps) > 0)) return;
    for (const camera of camerasOf(draft.info.value))
      for (const shared of sharesOf(draft, camera)) await mendFile(draft, camera, shared);
  },
};

/** A video, and the episodes whose frames it holds, in order. */
interface Shared {
  readonly path: string;
  readonly episodes: readonly DraftEpisode[];
}

function sharesOf(draft: LeRobotDraft, camera: string): Shared[] {
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

async function mendFile(draft: LeRobotDraft, camera: string, shared: Shared): Promise<void> {
  const rate_hz = Number(draft.info.value.fps);
  const fact = await draft.videos.of(shared.path);
  if (fact === null || shared.episodes.length === 0) return;
  const rows = shared.episodes.reduce((sum, { length }) => sum + (length ?? 0), 0);
  const spare = fact.frames > rows ? sparesOf(draft, camera, shared, fact, rate_hz) : new Set<number>();
  if (spare === null || fact.frames - spare.size !== rows) return;
  if (spare.size === 0 && isOnGrid(fact, rate_hz)) return;
  const code = spare.size > 0 ? 'camera_frames_extra' : 'video_stamps_off_grid';
  const said =
    spare.size > 0
      ? `${spare.size} frames of a discarded take, from frame ${Math.min(...spare)}`
      : `stamps lie off the grid of ${rate_hz} Hz, by up to ${(1000 * worst(fact, rate_hz)).toPrecision(3)} ms`;
  if (!draft.options.video)
    return unfixed(draft, code, {
      path: shared.path,
      message: `${shared.path}: ${said}`,
      advice: 'Pass --video to write the file again without encoding it.',
    });
  const source = join(draft.root, shared.path);
  const keep = (frame: number) => !spare.has(frame);
  if (!(await canCut(source, fact.frames, keep)))
    return unfixed(draft, code, {
      path: shared.path,
      message: `${shared.path}: ${said}, and the frames that stay cannot be told from them without encoding`,
      advice: 'Encode the video again.',
    });
  const { frames } = fact;
  draft.films.set(shared.path, async (target) => {
    if (!(await writeCut(source, target, { frames, rate_hz, keep }))) throw changedSince(shared.path);
  });
  draft.videos.will(shared.path, rows, rate_hz);
  changed(draft, videos, spare.size > 0 ? [code] : [code, 'camera_rows_refused', 'camera_rate_mismatch'], {
    path: shared.path,
    what:
      spare.size > 0
        ? `frames beyond the rows of ${few(shared.episodes.map(({ index }) => index))}`
        : 'stamps of the frames',
    before: said,
    after: spare.size > 0 ? `${rows} frames for ${rows} rows` : `multiples of 1 / ${rate_hz} s`,
  });
  if (draft.layout === 'v3') countOn(draft, camera, shared, rate_hz);
}

const changedSince = (path: string): AssayError =>
  new AssayError('unreadable_input', `${path} is another than it was when the fix was planned`, {
    path,
    advice: 'let what writes it end, then run assay fix again',
  });

/** Frames that no row gets; null where windows do not say which they are. */
function sparesOf(
  draft: LeRobotDraft,
  camera: string,
  { episodes }: Shared,
  { frames }: VideoFact,
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

function countOn(draft: LeRobotDraft, camera: string, { episodes }: Shared, rate_hz: number): void {
  let before = 0;
  for (const episode of episodes) {
    const window = episode.videos.get(camera)!;
    const after = before + (episode.length ?? 0);
    putWindow(draft, episode, camera, { ...window, from_s: before / rate_hz, to_s: after / rate_hz });
    before = after;
  }
}

/** The library's tolerance. */
const slack_s = 1e-4;

function isOnGrid(fact: VideoFact, rate_hz: number): boolean {
  return worst(fact, rate_hz) <= slack_s;
}

function worst({ time_s }: VideoFact, rate_hz: number): number {
  return time_s.reduce((most, at_s, frame) => Math.max(most, Math.abs(at_s - frame / rate_hz)), 0);
}

/** Ticks of a frame: any rate in whole frames a second is exact. */
const ticks = 512;

/** Places, in the order of showing, of the frames that stay. */
type KeepFrame = (shown: number) => boolean;

/**
 * Writes a video of so many frames once more with some of them, each shown at its place / rate; packets are copied as
 * they are. False where that cannot be: frames that stay need some that go, or the container hides or repeats frames.
 */
export async function writeCut(
  source: string,
  target: string,
  { frames, rate_hz, keep }: { readonly frames: number; readonly rate_hz: number; readonly keep: KeepFrame },
): Promise<boolean> {
  const video = await openCodedVideo(source);
  try {
    const kept = keptOf(video.packets, frames, keep);
    if (kept === null) return false;
    const fresh = stamped(video, kept, rate_hz);
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

/** Whether these frames can be cut out of a video by copying packets. */
export async function canCut(source: string, frames: number, keep: KeepFrame): Promise<boolean> {
  const video = await openCodedVideo(source).catch(() => null);
  if (video === null) return false;
  await video.close();
  return keptOf(video.packets, frames, keep) !== null;
}

/**
 * Places in decoding order. Null where a frame that stays is decoded from one that goes: behind a cut decoding has to
 * begin anew.
 */
function keptOf(packets: readonly ListedPacket[], frames: number, keep: KeepFrame): number[] | null {
  if (packets.length !== frames) return null;
  const shown = shownOrder(packets.map(({ pts }) => pts));
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

/** The place of each frame in the order of showing. */
function shownOrder(pts: readonly number[]): number[] {
  const order = pts.map((_, at) => at).sort((a, b) => pts[a] - pts[b] || a - b);
  const places = new Array<number>(pts.length);
  for (const [place, at] of order.entries()) places[at] = place;
  return places;
}

/** The video with the stamps of the frames that stay on the grid; the first is shown at 0, and decoded as long before as it takes. */
function stamped(video: CodedVideo, kept: readonly number[], rate_hz: number): CodedVideo {
  const shown = shownOrder(kept.map((at) => video.packets[at].pts));
  const delay = Math.max(...shown.map((place, at) => at - place));
  const packets = [...video.packets];
  for (const [at, place] of kept.entries())
    packets[place] = {
      ...packets[place],
      pts: shown[at] * ticks,
      dts: (at - delay) * ticks,
      duration: ticks,
    };
  const den = Math.round(rate_hz * ticks);
  return { ...video, packets, time_base: { num: 1, den }, frame_rate: { num: den, den: ticks } };
}
