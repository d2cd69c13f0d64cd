import { AssayError, messageOf } from '#core';
import { type Clock, type Episode, type Finding, type Stream, unknownOutcome } from '#core/episode';
import { type FileEntry, type FileHasher, FileWindow, type SourceTree } from '#io/sources';
import type { Unreadable } from '../shared/reader.ts';
import { detectContainer, headBytes } from './containers.ts';
import { type FrameTimes, FrameTimesError, isEvenGrid } from './frame-times.ts';
import { readTelemetry } from './gopro/read-telemetry.ts';

/**
 * Reads the frame times and the GoPro telemetry of one video file as an episode, or an `Unreadable` if it has no video
 * track; other damage becomes a finding. Frames stay in the file.
 * @param look true to read only the first payloads of the telemetry
 */
export async function readVideo(
  tree: SourceTree,
  file: FileEntry,
  index: number,
  hasher: FileHasher,
  look = false,
): Promise<Episode | Unreadable> {
  const findings: Finding[] = [];
  let times: FrameTimes | null = null;
  try {
    times = await readFrameTimes(tree, file);
    if (times.missing_bytes > 0) findings.push(truncatedFinding(file, times.missing_bytes));
  } catch (thrown) {
    const finding = timesFinding(file.path, thrown);
    if (thrown instanceof FrameTimesError && thrown.kind === 'no_video')
      return { unreadable: true, id: file.path, index, finding };
    findings.push(finding);
  }
  const sha256 = await hasher.sha256(file.path);
  const episode = buildEpisode(file, index, times, sha256, findings);
  return addTelemetry(episode, tree, file, times, look);
}

/** Adds the signals that a GoPro camera records in its videos; returns the episode as it is if there are none. */
async function addTelemetry(
  episode: Episode,
  tree: SourceTree,
  { path, bytes }: FileEntry,
  times: FrameTimes | null,
  look: boolean,
): Promise<Episode> {
  if (times?.telemetry === undefined || times.telemetry === null) return episode;
  await using file = await tree.openFile(path);
  const window = new FileWindow(file, bytes);
  const telemetry = await readTelemetry(window, path, times.telemetry, times.time_s[0], look);
  return {
    ...episode,
    start_ns: telemetry.start_ns,
    streams: [...episode.streams, ...telemetry.streams],
    findings: [...episode.findings, ...telemetry.findings],
  };
}

/** Returns the number of frames of a video, from its container; throws `FrameTimesError` if it has none. */
export async function countFrames(tree: SourceTree, file: FileEntry): Promise<number> {
  return (await readFrameTimes(tree, file)).time_s.length;
}

async function readFrameTimes(tree: SourceTree, { path, bytes }: FileEntry): Promise<FrameTimes> {
  const container = detectContainer(await tree.head(path, headBytes));
  if (container === null)
    throw new FrameTimesError('damaged', 'the first bytes do not match any video container');
  await using file = await tree.openFile(path);
  const times = await container.readTimes(new FileWindow(file, bytes));
  if (times.time_s.length === 0) throw new FrameTimesError('damaged', 'the container has no frames');
  return times;
}

function truncatedFinding({ path, bytes }: FileEntry, missing: number): Finding {
  return {
    code: 'file_truncated',
    severity: 'error',
    path,
    message: `${path} has ${bytes} bytes, ${missing} fewer than its container declares`,
    advice: 'copy the file again; if the recorder was interrupted, repair the container',
    evidence: { missing_bytes: missing },
  };
}

function timesFinding(path: string, thrown: unknown): Finding {
  const kind = thrown instanceof FrameTimesError ? thrown.kind : 'damaged';
  return {
    code:
      kind === 'no_video'
        ? 'video_absent'
        : kind === 'not_read'
          ? 'video_times_unread'
          : 'video_header_damaged',
    severity: kind === 'not_read' ? 'info' : 'error',
    path,
    message: `${path}: ${thrown instanceof FrameTimesError || thrown instanceof AssayError ? messageOf(thrown) : "the container's tables contradict each other"}`,
    advice:
      kind === 'not_read'
        ? 'remux the video to MP4 or Matroska (without re-encoding) to have its timestamps evaluated'
        : kind === 'no_video'
          ? 'pass a file that contains video'
          : 'restore the file from its source, or repair its container',
  };
}

function buildEpisode(
  { path, bytes }: FileEntry,
  index: number,
  times: FrameTimes | null,
  sha256: string | null,
  findings: readonly Finding[],
): Episode {
  return {
    id: path,
    index,
    locator: { format: 'videos', path },
    sources: [{ path, bytes, sha256, role: 'video' }],
    start_ns: null,
    duration_s: times === null ? 0 : computeDuration(times.time_s),
    streams: [buildStream(path, times)],
    events: [],
    tasks: null,
    outcome: unknownOutcome,
    robot: null,
    calibrations: [],
    grippers: [],
    labels: null,
    findings,
  };
}

/** Returns the duration to the end of the last frame, which is assumed to last as long as the average. */
function computeDuration(time_s: Float64Array): number {
  const n = time_s.length;
  const span = time_s[n - 1] - time_s[0];
  return n < 2 ? 0 : span + span / (n - 1);
}

function buildStream(path: string, times: FrameTimes | null): Stream {
  const clocks = times === null ? [] : [buildClock(times)];
  return {
    id: 'video',
    role: 'camera',
    modality: 'video',
    shape: [],
    names: null,
    unit: { unit: 'px', evidence: 'known_format', reason: 'video file' },
    declared_rate_hz: null,
    sample_count: times?.time_s.length ?? 0,
    clocks,
    clock: times === null ? null : { index: 0, reason: clockReason(times) },
    frames: {
      locator: { type: 'video', path, from_s: times?.time_s[0] ?? 0, to_s: null, expected_frames: null },
      declared_size_px: null,
      declared_codec: times?.codec ?? null,
    },
  };
}

/** Returns the clock in seconds since the first frame. */
function buildClock(times: FrameTimes): Clock {
  const [first] = times.time_s;
  const computed = times.source === 'counted' || isEvenGrid(times);
  return {
    name: 'pts',
    provenance: computed ? 'synthesised' : 'log',
    time_s: times.time_s.map((time) => time - first),
  };
}

function clockReason(times: FrameTimes): string {
  if (times.source === 'counted') return 'the container has a frame rate but no timestamps';
  return isEvenGrid(times)
    ? 'container timestamps, perfectly evenly spaced as if computed by the writer'
    : 'container timestamps, unevenly spaced as captured or edited';
}
