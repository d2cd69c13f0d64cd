import { countPhrase } from '#core';
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

/** A folder of videos with narrations, ready to be opened as a dataset. */
export interface NarratedSet {
  readonly tree: SourceTree;
  readonly recognition: Recognition;
  readonly format: string;
  readonly version: string | null;
  /** Number of videos that the annotations name, present or not. */
  readonly declared_videos: number;
  readonly videos: readonly NarratedVideo[];
  readonly findings: readonly Finding[];
}

/**
 * Builds the dataset of a narrated set: one episode and one work unit per video. Videos are read when their unit is.
 */
export function openNarratedSet({ tree, format, videos, ...set }: NarratedSet): Dataset {
  // Annotation files are hashed once for all videos.
  const hasher = createFileHasher(tree);
  return {
    facts: {
      format,
      version: set.version,
      declared_episodes: set.declared_videos,
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

/** A present video and its annotations. */
export interface NarratedVideo {
  readonly name: string;
  readonly file: FileEntry;
  /** Narrations, sorted by time. */
  readonly events: readonly Event[];
  /** Streams of annotations besides the events. */
  readonly streams: readonly Stream[];
  /** Frame rate implied by the annotations' frame numbers; `null` if they have none or too few to tell. */
  readonly numbered_hz: number | null;
  readonly declared_s: number | null;
  readonly declared_hz: number | null;
  /** Paths of the annotation files that name this video. */
  readonly annotations: readonly string[];
  readonly findings: readonly Finding[];
}

interface VideoContext {
  readonly tree: SourceTree;
  readonly format: string;
  readonly hasher: FileHasher;
  readonly scope: HashScope;
}

/** Reads a video as an episode with its narrations as events. */
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
    findings: [...read.findings, ...video.findings, ...consistencyFindings(video, camera, read.duration_s)],
  };
}

/** Maximum relative difference of frame rates: 60 against 59.94 differs by 0.1 %. */
const maxRateDeviation = 3e-4;
/** Maximum difference of lengths: seconds, and fraction of the video's length; the larger counts. */
const lengthTolerance = [0.5, 0.01] as const;

/**
 * Compares frame rate, length and narration times of the annotations with the video. Returns a finding for each that
 * does not fit.
 */
function consistencyFindings(video: NarratedVideo, camera: Stream, duration_s: number): Finding[] {
  const { path } = video.file;
  const findings: Finding[] = [];
  const rate_hz = measureRate(camera);
  const { numbered_hz, declared_s } = video;
  if (rate_hz !== null && numbered_hz !== null && Math.abs(numbered_hz / rate_hz - 1) > maxRateDeviation)
    findings.push({
      code: 'frame_numbers_other_rate',
      severity: 'warning',
      path,
      message: `annotations of ${path} count ${round(numbered_hz)} frames per second, but the video has ${round(rate_hz)} fps: frame numbers drift by ${round(duration_s * Math.abs(numbered_hz / rate_hz - 1))} s by the end of the video`,
      advice:
        'use the annotation timestamps, as Assay does, or extract frames at the rate of the annotations',
      evidence: { numbered_hz: round(numbered_hz), video_hz: round(rate_hz) },
    });
  const allowed_s = Math.max(lengthTolerance[0], lengthTolerance[1] * duration_s);
  if (declared_s !== null && duration_s > 0 && Math.abs(declared_s - duration_s) > allowed_s)
    findings.push({
      code: 'video_length_differs',
      severity: 'warning',
      path,
      message: `${path} is ${round(duration_s)} s long, but its annotations say ${round(declared_s)} s`,
      advice: 'check that this is the complete video',
      evidence: { video_s: round(duration_s), declared_s: round(declared_s) },
    });
  const beyond = video.events.filter(
    ({ time_s }) => duration_s > 0 && time_s > duration_s + lengthTolerance[0],
  );
  if (beyond.length > 0)
    findings.push({
      code: 'narrations_beyond_video',
      severity: 'error',
      path,
      message: `${beyond.length} of ${video.events.length} narrations are after the end of ${path} (${round(duration_s)} s), the first at ${round(beyond[0].time_s)} s`,
      advice: 'check that this is the video that was annotated, and that it is complete',
      evidence: { narrations: video.events.length, beyond: beyond.length },
    });
  return findings;
}

/** Returns the mean frame rate in Hz, or `null` for fewer than two frames or without times. */
function measureRate(camera: Stream): number | null {
  const time_s = timesOf(camera);
  if (time_s === null || time_s.length < 2) return null;
  return (time_s.length - 1) / (time_s[time_s.length - 1] - time_s[0]);
}

const round = (value: number): number => Number(value.toPrecision(5));

const videoFile = /\.(mp4|m4v|mov|mkv|webm|avi|ts|mts|mpe?g)$/i;

/**
 * Returns the videos of a tree by file name without extension; of several with one name, that in `full_scale/` or else
 * the first. Empty files are skipped. Annotations use these names.
 */
export function videosByName(tree: SourceTree): Map<string, FileEntry> {
  const found = new Map<string, FileEntry>();
  for (const file of tree.files) {
    if (!videoFile.test(file.path) || file.bytes === 0) continue;
    const name = file.path.slice(file.path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
    const previous = found.get(name);
    // Ego4D also ships scaled copies, whose times are those of the full video.
    if (previous === undefined || (!isFullScale(previous) && isFullScale(file))) found.set(name, file);
  }
  return found;
}

const isFullScale = ({ path }: FileEntry): boolean => /(?:^|\/)full_scale\//.test(path);

/**
 * Returns one finding for annotated videos that are missing and one for videos without annotations; none for empty
 * lists.
 * @param annotated number of videos that the annotations name
 */
export function pairingFindings(
  source: string,
  annotated: number,
  missing: readonly string[],
  unannotated: readonly string[],
): Finding[] {
  const findings: Finding[] = [];
  if (missing.length > 0)
    findings.push({
      code: 'videos_missing',
      severity: 'error',
      path: source,
      message: `${missing.length} of the ${annotated} videos listed in ${source} are missing (${listNames(missing)})`,
      advice: 'copy the videos next to the annotations, or keep only the annotations of the videos you have',
      evidence: { named: annotated, absent: missing.length },
    });
  if (unannotated.length > 0)
    findings.push({
      code: 'videos_without_narrations',
      severity: 'info',
      path: source,
      message: `${countPhrase(unannotated.length, 'videos are')} not listed in ${source} (${listNames(unannotated)}) and were read without narrations`,
      advice: 'nothing to do, unless their annotations are stored elsewhere',
      evidence: { videos: unannotated.length },
    });
  return findings;
}

function listNames(names: readonly string[]): string {
  return names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '');
}
