import type { Episode, Stream } from '#core/episode';
import { unknownOutcome } from '#core/episode';
import { type FileHasher, type HashScope, type SourceTree, sourceRefs, type UsedFile } from '#io/sources';
import type { Unreadable } from '../shared/reader.ts';
import { SegmentArrays } from './arrays.ts';
import { type FrameFacts, readFrames } from './read-frames.ts';
import { type RawSignal, readSignals } from './read-signals.ts';
import type { Segment } from './segment-files.ts';
import { poseStream, signalStream, videoStream, type Zero } from './streams.ts';

/** The cars of the set, by the device in them (README of comma2k19). */
const cars: Readonly<Record<string, string>> = {
  b0c9d2329ad1606b: 'Toyota RAV4',
  '99c94dc769b5d96e': 'Honda Civic',
};

/** Reads one segment as an episode. */
export async function readSegment(
  tree: SourceTree,
  segment: Segment,
  index: number,
  hasher: FileHasher,
  scope: HashScope,
): Promise<Episode | Unreadable> {
  const arrays = new SegmentArrays(tree, segment);
  const frames = await readFrames(arrays);
  const signals = await readSignals(segment, arrays);
  const id = segmentId(segment);
  const zero = zeroOf(frames, signals);
  if (zero === null) return unreadable(segment, id, index, arrays);
  const video = arrays.place('video.hevc');
  const videoPath = segment.folder === '' ? 'video.hevc' : `${segment.folder}/video.hevc`;
  const streams = [
    videoStream(videoPath, video !== null, frames, zero),
    ...signals.map((signal) => signalStream(signal, zero)),
    ...(frames?.poses ?? []).map((pose) => poseStream(pose, frames!, zero)),
  ];
  return {
    id,
    index,
    locator: { format: 'comma2k19', path: arrays.read[0] },
    sources: await sourceRefs(tree, filesUsed(arrays.read, video), hasher, scope),
    start_ns: zero.unix_ns?.toString() ?? null,
    duration_s: durationOf(streams),
    streams,
    events: [],
    tasks: null,
    outcome: unknownOutcome,
    robot: segment.route === null ? null : (cars[segment.route.slice(0, 16)] ?? null),
    calibrations: [],
    grippers: [],
    labels: null,
    findings: arrays.findings,
  };
}

function segmentId({ folder }: Segment): string {
  return folder === '' ? 'segment' : folder;
}

/** The first stamp of any stream that is judged; of any at all where none is. */
function zeroOf(frames: FrameFacts | null, signals: readonly RawSignal[]): Zero | null {
  const firsts = [frames?.boot_s, ...signals.map((signal) => signal.boot_s)].flatMap((stamps) =>
    stamps === undefined ? [] : (stamps.subarray(0, 1).filter(Number.isFinite).at(0) ?? []),
  );
  if (firsts.length === 0) return null;
  const boot_s = Math.min(...firsts);
  if (frames === null || frames.unix_ns === null || frames.boot_s.length === 0)
    return { boot_s, unix_ns: null };
  const ahead_ns = BigInt(Math.round((frames.boot_s[0] - boot_s) * 1e9));
  return { boot_s, unix_ns: frames.unix_ns - ahead_ns };
}

function durationOf(streams: readonly Stream[]): number {
  let last_s = 0;
  for (const { clocks, clock } of streams) {
    const time_s = clock === null ? undefined : clocks[clock.index].time_s;
    const end_s = time_s?.at(-1);
    if (end_s !== undefined && Number.isFinite(end_s) && end_s > last_s) last_s = end_s;
  }
  return last_s;
}

function filesUsed(arrays: readonly string[], video: string | null): UsedFile[] {
  const data = arrays.map((path) => ({ path, role: 'data' as const }));
  return video === null ? data : [...data, { path: video, role: 'video' }];
}

function unreadable(segment: Segment, id: string, index: number, arrays: SegmentArrays): Unreadable {
  const finding = arrays.findings[0] ?? {
    code: 'segment_empty',
    severity: 'error',
    path: segment.folder === '' ? null : segment.folder,
    message: `${id} holds no array with a time`,
    advice: 'copy the segment again from its source',
  };
  return { unreadable: true, id, index, finding };
}
