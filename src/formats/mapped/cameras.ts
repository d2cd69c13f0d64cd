import type { Finding, FrameLocator, SourceRef, Stream } from '#core/episode';
import type { FileHasher, SourceTree } from '#io/sources';
import { readVideo } from '../videos/read-video.ts';
import { type MappedClock, selectClocks } from './build-episode.ts';
import { findFile, type VideoMapping } from './mapping.ts';

/** A camera of an episode, with its source file and findings. */
export interface MappedCamera {
  readonly stream: Stream;
  readonly source: SourceRef | null;
  readonly findings: readonly Finding[];
}

/** The episode that a video belongs to. */
export interface CameraSubject {
  readonly episode: string;
  readonly rows: number;
  readonly clocks: readonly MappedClock[];
  readonly rate_hz: number | null;
}

/**
 * Returns the camera stream of a mapped video, with frames timed by the table's rows or by the video's timestamps. A
 * missing video gives a `missing` locator and a finding.
 */
export async function readCamera(
  tree: SourceTree,
  mapping: VideoMapping,
  subject: CameraSubject,
  hasher: FileHasher,
): Promise<MappedCamera> {
  const { path, exists } = findFile(tree, mapping.files, subject.episode);
  if (!exists) return missingCamera(mapping, subject, path);
  const base = cameraBase(mapping, subject);
  if (mapping.frames === 'rows') {
    const frames = buildFrames({ type: 'video', path, from_s: 0, to_s: null, expected_frames: subject.rows });
    const stream = {
      ...base,
      sample_count: subject.rows,
      ...selectClocks(subject.clocks, undefined),
      frames,
    };
    const bytes = tree.entry(path)?.bytes ?? 0;
    const source = { path, bytes, sha256: await hasher.sha256(path), role: 'video' as const };
    return { stream, source, findings: [] };
  }
  return readStampedVideo(tree, mapping, base, path, hasher);
}

function cameraBase({ id, role }: VideoMapping, { rate_hz }: CameraSubject): Omit<Stream, 'frames'> {
  return {
    id,
    role,
    modality: 'video',
    shape: [],
    names: null,
    unit: { unit: 'px', evidence: 'known_format', reason: 'video file' },
    declared_rate_hz: rate_hz,
    sample_count: 0,
    clocks: [],
    clock: null,
  };
}

const buildFrames = (locator: FrameLocator) => ({ locator, declared_size_px: null, declared_codec: null });

function missingCamera(mapping: VideoMapping, subject: CameraSubject, path: string): MappedCamera {
  const reason = 'the file is missing';
  const stream = { ...cameraBase(mapping, subject), frames: buildFrames({ type: 'missing', path, reason }) };
  const finding: Finding = {
    code: 'video_missing',
    severity: 'error',
    path,
    message: `episode ${subject.episode} has no video for ${mapping.id}: ${path} is missing`,
    advice: 'add the video, or correct its file pattern in the mapping',
  };
  return { stream, source: null, findings: [finding] };
}

async function readStampedVideo(
  tree: SourceTree,
  mapping: VideoMapping,
  base: Omit<Stream, 'frames'>,
  path: string,
  hasher: FileHasher,
): Promise<MappedCamera> {
  const video = await readVideo(tree, { path, bytes: tree.entry(path)?.bytes ?? 0 }, 0, hasher);
  if ('unreadable' in video) {
    const reason = video.finding.message;
    return {
      stream: { ...base, frames: buildFrames({ type: 'missing', path, reason }) },
      source: null,
      findings: [video.finding],
    };
  }
  const [videoStream] = video.streams;
  const starts_at_s = mapping.starts_at_s ?? 0;
  const clocks = videoStream.clocks.map((clock) => ({
    ...clock,
    time_s: starts_at_s === 0 ? clock.time_s : clock.time_s.map((time) => time + starts_at_s),
  }));
  const start =
    mapping.starts_at_s === undefined
      ? 'the mapping does not declare starts_at_s, so the first frame is assumed to match the first row'
      : `starts ${starts_at_s} s after the first row, from the mapping`;
  const clock =
    videoStream.clock === null
      ? null
      : { ...videoStream.clock, reason: `${videoStream.clock.reason}; ${start}` };
  return {
    stream: { ...videoStream, id: mapping.id, role: mapping.role, clocks, clock },
    source: video.sources[0],
    findings: video.findings,
  };
}
