import { type Episode, type Event, type Finding, type Stream, timesOf } from '#core/episode';
import {
  createFileHasher,
  type FileEntry,
  type FileHasher,
  type HashScope,
  hashScope,
  noHashes,
  type SourceTree,
  sourceRefs,
} from '#io/sources';
import type { Dataset, Recognition, Unreadable } from '../shared/reader.ts';
import { readVideo } from '../videos/read-video.ts';

export interface NarratedSet {
  readonly tree: SourceTree;
  readonly recognition: Recognition;
  readonly format: string;
  readonly version: string | null;
  /** Videos that the annotations name, there or not. */
  readonly declared: number;
  readonly videos: readonly NarratedVideo[];
  readonly findings: readonly Finding[];
}

/** Videos with narrations as a dataset: a video an episode, and one a work unit. */
export function narratedDataset({ tree, format, videos, ...set }: NarratedSet): Dataset {
  // Annotation files are hashed once for all videos.
  const hasher = createFileHasher(tree);
  return {
    facts: {
      format,
      version: set.version,
      declared_episodes: set.declared,
      declared_frames: null,
      declared_rate_hz: null,
      robot: null,
      declared_cameras: [],
    },
    recognition: set.recognition,
    findings: set.findings,
    units: videos.map(({ file }, first_index) => ({
      id: file.path,
      expected_episodes: 1,
      first_index,
      bytes: file.bytes,
      look_bytes: 0,
      selector: null,
    })),
    async *read(unit, options) {
      options.signal?.throwIfAborted();
      const context = { tree, format, hasher, scope: hashScope(options) };
      yield await readNarrated(videos[unit.first_index], unit.first_index, context);
      options.onBytes?.(unit.bytes);
    },
    close: async () => {},
  };
}

/** A video that is there, and what its annotations say. */
export interface NarratedVideo {
  readonly name: string;
  readonly file: FileEntry;
  /** In the order of their times. */
  readonly events: readonly Event[];
  /** Signals of the annotations beside the events. */
  readonly streams: readonly Stream[];
  /** Frames a second by which annotations number frames; null where they number none. */
  readonly numbered_hz: number | null;
  readonly declared_s: number | null;
  readonly declared_hz: number | null;
  /** Annotation files used. */
  readonly annotations: readonly string[];
  readonly findings: readonly Finding[];
}

interface VideoContext {
  readonly tree: SourceTree;
  readonly format: string;
  readonly hasher: FileHasher;
  readonly scope: HashScope;
}

/** A video as an episode, with its narrations as events. */
async function readNarrated(
  video: NarratedVideo,
  index: number,
  { tree, format, hasher, scope }: VideoContext,
): Promise<Episode | Unreadable> {
  const read = await readVideo(tree, video.file, index, scope === 'none' ? noHashes : hasher);
  if ('unreadable' in read) return read;
  const annotations = video.annotations.map((path) => ({ path, role: 'annotation' as const }));
  const [camera] = read.streams;
  return {
    ...read,
    locator: { format, path: video.file.path },
    sources: [...read.sources, ...(await sourceRefs(tree, annotations, hasher, scope))],
    streams: [{ ...camera, declared_rate_hz: video.declared_hz }, ...video.streams],
    events: video.events,
    findings: [...read.findings, ...video.findings, ...heldAgainst(video, camera, read.duration_s)],
  };
}

/** A rate may differ by so much before frame numbers go astray: 60 for 59.94 differs by 0.1 %. */
const rateSlack = 3e-4;
/** Seconds, and share, by which a length may differ. */
const lengthSlack = [0.5, 0.01] as const;

function heldAgainst(video: NarratedVideo, camera: Stream, duration_s: number): Finding[] {
  const { path } = video.file;
  const findings: Finding[] = [];
  const rate_hz = rateOf(camera);
  const { numbered_hz, declared_s } = video;
  if (rate_hz !== null && numbered_hz !== null && Math.abs(numbered_hz / rate_hz - 1) > rateSlack)
    findings.push({
      code: 'frame_numbers_other_rate',
      severity: 'warning',
      path,
      message: `annotations of ${path} number frames at ${round(numbered_hz)} a second, the video has ${round(rate_hz)}: by frame number they go astray by ${round(duration_s * Math.abs(numbered_hz / rate_hz - 1))} s until its end`,
      advice:
        'use the times of the annotations, as is done here, or extract frames at the rate of the numbers',
      evidence: { numbered_hz: round(numbered_hz), video_hz: round(rate_hz) },
    });
  const allowed_s = Math.max(lengthSlack[0], lengthSlack[1] * duration_s);
  if (declared_s !== null && duration_s > 0 && Math.abs(declared_s - duration_s) > allowed_s)
    findings.push({
      code: 'video_length_differs',
      severity: 'warning',
      path,
      message: `${path} lasts ${round(duration_s)} s, its annotations say ${round(declared_s)} s`,
      advice: 'check that this is the whole video and not a part of it',
      evidence: { video_s: round(duration_s), declared_s: round(declared_s) },
    });
  const beyond = video.events.filter(({ time_s }) => duration_s > 0 && time_s > duration_s + lengthSlack[0]);
  if (beyond.length > 0)
    findings.push({
      code: 'narrations_beyond_video',
      severity: 'error',
      path,
      message: `${beyond.length} of ${video.events.length} narrations lie behind the end of ${path} (${round(duration_s)} s), the first at ${round(beyond[0].time_s)} s`,
      advice: 'check that this is the video that was narrated, and all of it',
      evidence: { narrations: video.events.length, beyond: beyond.length },
    });
  return findings;
}

function rateOf(camera: Stream): number | null {
  const time_s = timesOf(camera);
  if (time_s === null || time_s.length < 2) return null;
  return (time_s.length - 1) / (time_s[time_s.length - 1] - time_s[0]);
}

const round = (value: number): number => Number(value.toPrecision(5));
