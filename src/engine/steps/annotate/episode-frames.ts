import { AssayError } from '#core';
import { type Frames, type KeptPicture, type Stream, timesOf } from '#core/episode';
import type { RecognisedDataset } from '#formats';
import { type DecodeRequest, type FrameOutcome, type PlannedFrame, planFrames } from '#io/media';
import type { RecordingsRef } from '#io/sources';
import type { FrameNeeds } from '#labels/annotation';
import { withFiles } from '../../recordings/with-files.ts';
import type { LaneResources } from './lane-resources.ts';

/** A camera of an episode, and where its pictures lie. */
export interface EpisodeCamera {
  readonly stream: Stream;
  readonly frames: Frames;
}

/** Where an episode's pictures are read from. */
export interface EpisodeRecording {
  readonly recordings: RecordingsRef;
  readonly dataset_path: string;
  readonly recognised: RecognisedDataset;
  /** Of the episode in its dataset. */
  readonly index: number;
  readonly start_ns: string | null;
  readonly cameras: readonly EpisodeCamera[];
  /** Depth cameras. */
  readonly depths: readonly EpisodeCamera[];
  /** Sizes of the files that the receipt names. */
  readonly bytes_of: ReadonlyMap<string, number>;
}

/** Some frames of a camera, for those of the lanes that look at it. */
export interface FedFrames {
  readonly camera: string;
  /** Places of the lanes, in the order of the wishes. */
  readonly lanes: readonly number[];
  readonly frames: readonly FrameOutcome[];
  readonly unreadable: string | null;
}

/** Works while the files that an episode's pictures are decoded from can be opened below `root`. Throws as `withFiles`. */
export function withPictures<T>(
  { recordings, dataset_path, cameras, depths, bytes_of }: EpisodeRecording,
  work: (root: string) => Promise<T>,
): Promise<T> {
  const paths = new Set([...cameras, ...depths].flatMap(({ frames }) => filesOf(frames)));
  const files = [...paths].map((path) => ({ path, bytes: bytes_of.get(path) }));
  return withFiles(recordings, { dataset_path, files }, work);
}

/** Every frame that a lane needs, camera by camera, each decoded once. Throws `unfinished`. */
export async function* episodeFrames(
  recording: EpisodeRecording,
  needs: readonly FrameNeeds[],
  { resources, root, signal }: DecodeTools,
): AsyncGenerator<FedFrames, void, undefined> {
  for (const [at, { stream, frames }] of recording.cameras.entries()) {
    const lanes = [...needs.keys()].filter((lane) => at === 0 || needs[lane].cameras === 'all');
    const wishes = lanes.map((lane) => needs[lane]);
    for await (const fed of framesOf(recording, { stream, frames }, { wishes }, { resources, root, signal }))
      yield { ...fed, lanes };
  }
}

interface DecodeTools {
  readonly resources: LaneResources;
  readonly root: string;
  readonly signal: AbortSignal;
}

type Wanted = Pick<DecodeRequest, 'wishes' | 'distances'>;

/** Distances of every depth camera, camera by camera. Throws `unfinished`. */
export async function* episodeDistances(
  recording: EpisodeRecording,
  rate_hz: number,
  tools: DecodeTools,
): AsyncGenerator<Omit<FedFrames, 'lanes'>, void, undefined> {
  const wishes = [{ rate_hz, longest_side_px: Number.POSITIVE_INFINITY }];
  for (const depth of recording.depths) yield* framesOf(recording, depth, { wishes, distances: true }, tools);
}

async function* framesOf(
  recording: EpisodeRecording,
  { stream, frames }: EpisodeCamera,
  wanted: Wanted,
  { resources, root, signal }: DecodeTools,
): AsyncGenerator<Omit<FedFrames, 'lanes'>, void, undefined> {
  const { id: camera, declared_rate_hz } = stream;
  const request = { root, frames, ...wanted, declared_rate_hz, stamps_s: timesOf(stream) };
  const batches =
    frames.locator.type === 'embedded'
      ? embedded(recording, { stream, frames }, wanted, { resources, signal })
      : resources.media.decode(request, signal);
  try {
    for await (const batch of batches) yield { camera, frames: batch, unreadable: null };
  } catch (thrown) {
    if (!(thrown instanceof AssayError) || thrown.code !== 'media_failed') throw thrown;
    yield { camera, frames: [], unreadable: thrown.message };
  }
}

/** Pictures read out of a recording before they are decoded. */
const rowsAtOnce = 8;

async function* embedded(
  recording: EpisodeRecording,
  { stream, frames }: EpisodeCamera,
  wanted: Wanted,
  { resources, signal }: { resources: LaneResources; signal: AbortSignal },
): AsyncGenerator<readonly FrameOutcome[], void, undefined> {
  const rate_hz = stream.declared_rate_hz ?? 1;
  const even = () => Float64Array.from({ length: stream.sample_count }, (_, row) => row / rate_hz);
  const plan = planFrames(timesOf(stream) ?? even(), wanted.wishes);
  for (let from = 0; from < plan.length; from += rowsAtOnce) {
    signal.throwIfAborted();
    const own = plan.slice(from, from + rowsAtOnce);
    const kept = await picturesOf(recording, { stream, frames }, own, resources);
    const request = { root: '/', frames: { ...frames, kept }, ...wanted, plan: own };
    const times = { declared_rate_hz: stream.declared_rate_hz, stamps_s: null };
    yield* resources.media.decode({ ...request, ...times }, signal);
  }
}

/** Payloads of the planned frames, with those that decoding them takes, in the order of recording. */
async function picturesOf(
  { recordings, recognised, index: episode_index, start_ns }: EpisodeRecording,
  { stream, frames }: EpisodeCamera,
  plan: readonly PlannedFrame[],
  resources: LaneResources,
): Promise<KeptPicture[]> {
  const { locator } = frames;
  if (locator.type !== 'embedded') return [];
  const dataset = await resources.dataset(recordings, recognised);
  const log_s = stream.clocks.find(({ provenance }) => provenance === 'log')?.time_s;
  const byRow = new Map<number, KeptPicture>();
  for (const { row } of plan) {
    const wanted = { locator, episode_index, start_ns, row, log_s: log_s?.[row] ?? null };
    const found = (await dataset.picturesAt?.(wanted)) ?? [];
    // What is read names its rows from the one that was asked for backwards.
    for (const [at, picture] of found.entries()) {
      const own = row - (found.length - 1 - at);
      byRow.set(own, { ...picture, index: own });
    }
  }
  return [...byRow.values()].sort((a, b) => a.index - b.index);
}

/** Files that pictures are decoded from by name. */
function filesOf({ locator }: Frames): readonly string[] {
  if (locator.type === 'video') return [locator.path];
  return locator.type === 'image-files' ? locator.paths : [];
}
