import { AssayError } from '#core';
import { type Frames, type SampledPicture, type Stream, timesOf } from '#core/episode';
import type { RecognisedDataset } from '#formats';
import { type DecodeRequest, type FrameOutcome, type PlannedFrame, planFrames } from '#io/media';
import type { RecordingsRef } from '#io/sources';
import type {
  DistanceBatch,
  DistanceFrame,
  FrameBatch,
  FrameNeeds,
  LaneFrame,
  MissingFrame,
} from '#labels/annotation';
import { withFiles } from '../../open-recordings.ts';
import type { LaneResources } from './lane-resources.ts';

/** A camera of an episode and its frames. */
export interface EpisodeCamera {
  readonly stream: Stream;
  readonly frames: Frames;
}

/** Locations of an episode's pictures. */
export interface EpisodeRecording {
  readonly recordings: RecordingsRef;
  readonly dataset_path: string;
  readonly recognised: RecognisedDataset;
  /** Index of the episode in its dataset. */
  readonly index: number;
  readonly start_ns: string | null;
  readonly cameras: readonly EpisodeCamera[];
  /** Depth cameras. */
  readonly depths: readonly EpisodeCamera[];
  /** File sizes by path, from the receipt. */
  readonly file_sizes: ReadonlyMap<string, number>;
}

/** A batch of frames of one camera, for the lanes that requested them. */
export interface CameraFrames {
  readonly camera: string;
  /** Indices of the lanes, in the order of `pictures`. */
  readonly lanes: readonly number[];
  readonly frames: readonly FrameOutcome[];
  readonly unreadable: string | null;
}

/**
 * Runs `work` while the files of the episode's pictures can be opened below `root`, and returns its result. Throws as
 * `withFiles`.
 */
export function withPictureFiles<T>(
  { recordings, dataset_path, cameras, depths, file_sizes: bytes_of }: EpisodeRecording,
  work: (root: string) => Promise<T>,
): Promise<T> {
  const paths = new Set([...cameras, ...depths].flatMap(({ frames }) => decodedFiles(frames)));
  const files = [...paths].map((path) => ({ path, bytes: bytes_of.get(path) }));
  return withFiles(recordings, { dataset_path, files }, work);
}

/**
 * Yields the frames that the lanes need in batches, camera by camera, each decoded once; a camera that cannot be decoded
 * yields a batch with the reason.
 * @throws `unfinished`
 */
export async function* episodeFrames(
  recording: EpisodeRecording,
  needs: readonly FrameNeeds[],
  { resources, root, signal }: DecodeTools,
): AsyncGenerator<CameraFrames, void, undefined> {
  for (const [at, { stream, frames }] of recording.cameras.entries()) {
    const lanes = [...needs.keys()].filter((lane) => at === 0 || needs[lane].cameras === 'all');
    const laneNeeds = lanes.map((lane) => needs[lane]);
    for await (const fed of decodeCamera(
      recording,
      { stream, frames },
      { needs: laneNeeds },
      { resources, root, signal },
    ))
      yield { ...fed, lanes };
  }
}

interface DecodeTools {
  readonly resources: LaneResources;
  readonly root: string;
  readonly signal: AbortSignal;
}

type DecodeOptions = Pick<DecodeRequest, 'needs' | 'distances'>;

/**
 * Yields the distances of all depth cameras in batches, camera by camera, at most `rate_hz` frames per second; a camera that
 * cannot be decoded yields a batch with the reason.
 * @throws `unfinished`
 */
export async function* episodeDistances(
  recording: EpisodeRecording,
  rate_hz: number,
  tools: DecodeTools,
): AsyncGenerator<Omit<CameraFrames, 'lanes'>, void, undefined> {
  const needs = [{ rate_hz, longest_side_px: Number.POSITIVE_INFINITY }];
  for (const depth of recording.depths)
    yield* decodeCamera(recording, depth, { needs, distances: true }, tools);
}

async function* decodeCamera(
  recording: EpisodeRecording,
  { stream, frames }: EpisodeCamera,
  options: DecodeOptions,
  { resources, root, signal }: DecodeTools,
): AsyncGenerator<Omit<CameraFrames, 'lanes'>, void, undefined> {
  const { id: camera, declared_rate_hz } = stream;
  const request = { root, frames, ...options, declared_rate_hz, stamps_s: timesOf(stream) };
  const batches =
    frames.locator.type === 'embedded'
      ? decodeEmbedded(recording, { stream, frames }, options, { resources, signal })
      : resources.media.decode(request, signal);
  try {
    for await (const batch of batches) yield { camera, frames: batch, unreadable: null };
  } catch (thrown) {
    if (!(thrown instanceof AssayError) || thrown.code !== 'media_failed') throw thrown;
    yield { camera, frames: [], unreadable: thrown.message };
  }
}

/** Number of embedded pictures read before each decoding call. */
const rowsPerBatch = 8;

async function* decodeEmbedded(
  recording: EpisodeRecording,
  { stream, frames }: EpisodeCamera,
  options: DecodeOptions,
  { resources, signal }: { resources: LaneResources; signal: AbortSignal },
): AsyncGenerator<readonly FrameOutcome[], void, undefined> {
  const rate_hz = stream.declared_rate_hz ?? 1;
  const even = () => Float64Array.from({ length: stream.sample_count }, (_, row) => row / rate_hz);
  const plan = planFrames(timesOf(stream) ?? even(), options.needs);
  for (let from = 0; from < plan.length; from += rowsPerBatch) {
    signal.throwIfAborted();
    const own = plan.slice(from, from + rowsPerBatch);
    const kept = await readPictures(recording, { stream, frames }, own, resources);
    const request = { root: '/', frames: { ...frames, kept }, ...options, plan: own };
    const times = { declared_rate_hz: stream.declared_rate_hz, stamps_s: null };
    yield* resources.media.decode({ ...request, ...times }, signal);
  }
}

/** Returns the payloads of the planned frames and those needed to decode them, in recording order. */
async function readPictures(
  { recordings, recognised, index: episode_index, start_ns }: EpisodeRecording,
  { stream, frames }: EpisodeCamera,
  plan: readonly PlannedFrame[],
  resources: LaneResources,
): Promise<SampledPicture[]> {
  const { locator } = frames;
  if (locator.type !== 'embedded') return [];
  const dataset = await resources.dataset(recordings, recognised);
  const log_s = stream.clocks.find(({ provenance }) => provenance === 'log')?.time_s;
  const byRow = new Map<number, SampledPicture>();
  for (const { row } of plan) {
    const request = { locator, episode_index, start_ns, row, log_s: log_s?.[row] ?? null };
    const found = (await dataset.picturesAt?.(request)) ?? [];
    // The last payload is the requested row; the others precede it.
    for (const [at, picture] of found.entries()) {
      const own = row - (found.length - 1 - at);
      byRow.set(own, { ...picture, index: own });
    }
  }
  return [...byRow.values()].sort((a, b) => a.index - b.index);
}

/** Returns the files that pictures are decoded from; none for embedded pictures. */
function decodedFiles({ locator }: Frames): readonly string[] {
  if (locator.type === 'video') return [locator.path];
  return locator.type === 'image-files' ? locator.paths : [];
}

/**
 * Yields the recorded distances of an episode's depth cameras as lanes take them, at most `rate_hz` frames per second, with
 * the missing frames.
 */
export async function* distanceBatches(
  recording: EpisodeRecording,
  rate_hz: number,
  tools: Parameters<typeof episodeDistances>[2],
): AsyncGenerator<DistanceBatch, void, undefined> {
  const encodings = new Map(
    recording.depths.map(({ stream, frames }) => [stream.id, frames.declared_codec] as const),
  );
  for await (const { camera, frames, unreadable } of episodeDistances(recording, rate_hz, tools)) {
    const own: DistanceFrame[] = [];
    const missing: MissingFrame[] = [];
    for (const frame of frames) {
      const { row, time_s } = frame;
      if ('reason' in frame) missing.push({ camera, row, time_s, reason: frame.reason });
      else if (frame.distances !== undefined) own.push({ camera, row, time_s, ...frame.distances });
    }
    yield { camera, encoding: encodings.get(camera) ?? null, frames: own, missing, unreadable };
  }
}

/** Returns the frames and missing frames of a batch that one lane requested; null if there are none. */
export function selectFrames(
  { camera, lanes, frames, unreadable }: CameraFrames,
  lane: number,
): FrameBatch | null {
  const wish = lanes.indexOf(lane);
  if (wish < 0) return null;
  const own: LaneFrame[] = [];
  const missing: MissingFrame[] = [];
  for (const frame of frames) {
    const { row, time_s } = frame;
    if ('reason' in frame) {
      if (frame.needs.includes(wish)) missing.push({ camera, row, time_s, reason: frame.reason });
      continue;
    }
    const picture = frame.pictures[wish];
    if (picture !== null) own.push({ camera, row, time_s, ...picture });
  }
  if (own.length === 0 && missing.length === 0 && unreadable === null) return null;
  return { camera, frames: own, missing, unreadable };
}
