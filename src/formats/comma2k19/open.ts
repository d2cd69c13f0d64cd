import { countPhrase } from '#core';
import { type Episode, type Finding, type Stream, unknownOutcome } from '#core/episode';
import {
  createFileHasher,
  type FileHasher,
  type HashScope,
  hashScope,
  type SourceTree,
  sourceRefs,
  type UsedFile,
} from '#io/sources';
import type { Dataset, ReadOptions, Recognition, Unreadable, WorkUnit } from '../shared/reader.ts';
import { SegmentArrays } from './arrays.ts';
import { findSegments, type Segment } from './segment-files.ts';
import {
  type FrameFacts,
  poseStream,
  type RawSignal,
  readFrames,
  readSignals,
  signalStream,
  type TimeOrigin,
  videoStream,
} from './streams.ts';

/**
 * Opens a comma2k19 folder as a dataset with one work unit per segment of about a minute; segments without video become
 * findings. A segment has about 10 MB of arrays and 40 MB of video.
 */
export function openComma(tree: SourceTree, recognition: Recognition): Dataset {
  const segments = findSegments(tree);
  return {
    facts: {
      format: 'comma2k19',
      version: null,
      declared_episodes: null,
      declared_frames: null,
      declared_rate_hz: null,
      robot: null,
      declared_cameras: ['video'],
    },
    recognition,
    findings: [...videoFindings(segments), ...nameFindings(segments), ...unreadFindings(segments)],
    units: segments.map(toWorkUnit),
    read: (unit, options) => readUnit(tree, segments[unit.first_index], unit, options),
    close: async () => {},
  };
}

const ignoredFile = /(?:^|\/)(?:raw_log\.bz2|preview\.png)$/;

const isVideo = (path: string): boolean => /(?:^|\/)video\.hevc$/.test(path);

function toWorkUnit({ folder, files }: Segment, index: number): WorkUnit {
  let bytes = 0;
  let video = 0;
  for (const file of files) {
    if (ignoredFile.test(file.path)) continue;
    bytes += file.bytes;
    if (isVideo(file.path)) video += file.bytes;
  }
  return {
    id: folder === '' ? 'segment' : folder,
    expected_episodes: 1,
    first_index: index,
    bytes,
    look_bytes: bytes - video,
    selector: null,
  };
}

async function* readUnit(
  tree: SourceTree,
  segment: Segment,
  unit: WorkUnit,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  options.signal?.throwIfAborted();
  const hasher = createFileHasher(tree);
  yield await readSegment(tree, segment, unit.first_index, hasher, hashScope(options));
  options.onBytes?.(unit.bytes);
}

function videoFindings(segments: readonly Segment[]): Finding[] {
  const without = segments.filter(({ files }) => !files.some(({ path }) => isVideo(path)));
  if (without.length === 0) return [];
  return [
    {
      code: 'videos_missing',
      severity: 'error',
      path: null,
      message: `${countPhrase(without.length, 'segments have', segments.length)} no video.hevc (${listFolders(without)})`,
      advice: 'copy the videos next to the logs; the signals are evaluated without them',
      evidence: { segments: segments.length, without_video: without.length },
    },
  ];
}

function nameFindings(segments: readonly Segment[]): Finding[] {
  const piped = segments.filter(({ folder }) => folder.includes('|'));
  if (piped.length === 0) return [];
  return [
    {
      code: 'name_not_portable',
      severity: 'info',
      path: null,
      message: `${countPhrase(piped.length, 'segments have | in their path')} (${listFolders(piped)}), which Windows and some archive formats do not allow`,
      advice: 'replace | with _ before copying the folder there; both names are supported',
    },
  ];
}

function unreadFindings(segments: readonly Segment[]): Finding[] {
  const logs = segments.filter(({ files }) => files.some(({ path }) => /(?:^|\/)raw_log\.bz2$/.test(path)));
  if (logs.length === 0) return [];
  return [
    {
      code: 'files_not_read',
      severity: 'info',
      path: null,
      message: `raw_log.bz2 of ${logs.length} segments was not read`,
      advice: 'nothing to do: processed_log has the signals extracted from it',
    },
  ];
}

function listFolders(segments: readonly Segment[]): string {
  const names = segments.slice(0, 3).map(({ folder }) => (folder === '' ? 'this folder' : folder));
  return names.join(', ') + (segments.length > 3 ? ', …' : '');
}

/** Car models by dongle id, the first 16 characters of a route name (README of comma2k19). */
const carByDongle: Readonly<Record<string, string>> = {
  b0c9d2329ad1606b: 'Toyota RAV4',
  '99c94dc769b5d96e': 'Honda Civic',
};

/** Reads one segment as an episode. Returns an `Unreadable` if it has no array of times. */
async function readSegment(
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
  const origin = computeOrigin(frames, signals);
  if (origin === null) return unreadable(segment, id, index, arrays);
  const video = arrays.findPath('video.hevc');
  const videoPath = segment.folder === '' ? 'video.hevc' : `${segment.folder}/video.hevc`;
  const streams = [
    videoStream(videoPath, video !== null, frames, origin),
    ...signals.map((signal) => signalStream(signal, origin)),
    ...(frames?.poses ?? []).map((pose) => poseStream(pose, frames!, origin)),
  ];
  return {
    id,
    index,
    locator: { format: 'comma2k19', path: arrays.paths_read[0] },
    sources: await sourceRefs(tree, filesUsed(arrays.paths_read, video), hasher, scope),
    start_ns: origin.unix_ns?.toString() ?? null,
    duration_s: computeDuration(streams),
    streams,
    events: [],
    tasks: null,
    outcome: unknownOutcome,
    robot: segment.route === null ? null : (carByDongle[segment.route.slice(0, 16)] ?? null),
    calibrations: [],
    grippers: [],
    labels: null,
    findings: arrays.findings,
  };
}

function segmentId({ folder }: Segment): string {
  return folder === '' ? 'segment' : folder;
}

/** Returns the earliest first stamp of the video frames and all signals; `null` if there is none. */
function computeOrigin(frames: FrameFacts | null, signals: readonly RawSignal[]): TimeOrigin | null {
  const firstStamps = [frames?.boot_s, ...signals.map((signal) => signal.boot_s)].flatMap((stamps) =>
    stamps === undefined ? [] : (stamps.subarray(0, 1).filter(Number.isFinite).at(0) ?? []),
  );
  if (firstStamps.length === 0) return null;
  const boot_s = Math.min(...firstStamps);
  if (frames === null || frames.unix_ns === null || frames.boot_s.length === 0)
    return { boot_s, unix_ns: null };
  const ahead_ns = BigInt(Math.round((frames.boot_s[0] - boot_s) * 1e9));
  return { boot_s, unix_ns: frames.unix_ns - ahead_ns };
}

function computeDuration(streams: readonly Stream[]): number {
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
    message: `${id} has no array with timestamps`,
    advice: 'copy the segment again from its source',
  };
  return { unreadable: true, id, index, finding };
}
