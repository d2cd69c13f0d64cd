import { AssayError } from '#core';
import type { SampledPicture } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { Recording } from '../messages/recording.ts';
import {
  type CandidatePicture,
  PictureFinder,
  type PictureReceiver,
} from '../messages/requested-pictures.ts';
import type {
  Dataset,
  PictureRequest,
  PictureStreamRequest,
  Recognition,
  StreamedPicture,
  UnitTail,
} from '../reader.ts';
import type { OpenLog, WalkTarget } from './log-walk.ts';
import type { RecordingPlan, RecordingSelector } from './plan-recordings.ts';
import { readRecording } from './read-recording.ts';

/** Container-specific parts of a bag dataset. */
export interface BagFormat {
  readonly format: string;
  readonly version: string | null;
  /** True if the container stores publish times. */
  readonly keeps_publish_time: boolean;
  readonly openLog: OpenLog;
  /** Reads the summary at the end of a file; absent if the container has none. */
  readonly readTail?: (tree: SourceTree, path: string) => Promise<UnitTail | null>;
}

/**
 * Creates a dataset with one unit per planned recording; files are opened only when a unit, picture or tail is read.
 */
export function openBags(
  tree: SourceTree,
  recognition: Recognition,
  plan: RecordingPlan,
  { format, version, keeps_publish_time, openLog, readTail }: BagFormat,
): Dataset {
  return {
    facts: {
      format,
      version,
      declared_episodes: null,
      declared_frames: null,
      declared_rate_hz: null,
      robot: null,
      declared_cameras: [],
    },
    recognition,
    findings: plan.findings,
    units: plan.units,
    read: (unit, options) => {
      const { selector } = unit;
      if (!isSelector(selector))
        throw new AssayError('internal', `${unit.id} is not a work unit of ${format} files`);
      const bag = selector.sidecar === null ? null : (plan.bags.get(selector.sidecar) ?? null);
      return readRecording({ tree, unit, selector, bag, format, keeps_publish_time, openLog }, options);
    },
    picturesAt: async (request) => {
      const selector = plan.selectors.find(({ files }) => files.includes(request.locator.path));
      return selector === undefined ? [] : picturesAt(tree, selector, request, openLog);
    },
    pictures: async function* (wanted) {
      const selector = plan.selectors.find(({ files }) => files.includes(wanted.locator.path));
      if (selector !== undefined) yield* streamPictures(tree, selector, wanted, openLog);
    },
    ...(readTail === undefined
      ? {}
      : {
          tail: async ({ selector }) =>
            isSelector(selector)
              ? mergeTails(await Promise.all(selector.files.map((path) => readTail(tree, path))))
              : null,
        }),
    close: async () => {},
  };
}

/** Merges the summaries of several files; `null` if one is missing. */
function mergeTails(tails: readonly (UnitTail | null)[]): UnitTail | null {
  const known = tails.filter((tail) => tail !== null);
  if (known.length === 0 || known.length < tails.length) return null;
  const earlier = (a: bigint, b: bigint) => (a < b ? a : b);
  const later = (a: bigint, b: bigint) => (a > b ? a : b);
  return {
    messages: known.reduce((sum, { messages }) => sum + messages, 0),
    start_ns: String(known.map(({ start_ns }) => BigInt(start_ns)).reduce(earlier)),
    end_ns: String(known.map(({ end_ns }) => BigInt(end_ns)).reduce(later)),
  };
}

/** True for a recording selector, including one that was sent from another thread. */
function isSelector(value: unknown): value is RecordingSelector {
  return typeof value === 'object' && value !== null && 'files' in value && Array.isArray(value.files);
}

/** Returns the first file of the first recording of a plan; `null` if the plan is empty. */
export function firstFile({ selectors }: RecordingPlan): string | null {
  return selectors[0]?.files[0] ?? null;
}

/**
 * Walks a recording up to one picture. Returns [] if it is not found. If it is not found and a file could not be read,
 * throws that file's error.
 */
async function picturesAt(
  tree: SourceTree,
  { files }: RecordingSelector,
  { locator, log_s, start_ns }: PictureRequest,
  openLog: OpenLog,
): Promise<readonly SampledPicture[]> {
  if (log_s === null || start_ns === null) return [];
  const finder = new PictureFinder(locator.channel, log_s * 1e9);
  const target = createTarget(start_ns, locator.path, finder);
  let failure: AssayError | null = null;
  for (const path of files) {
    try {
      await using walk = await openLog(tree, path, target, null);
      walk.rebase();
      while (!finder.found && (await walk.step()));
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      failure ??= thrown;
    }
    if (finder.found) return finder.pictures;
  }
  if (failure !== null) throw failure;
  return [];
}

/**
 * Walks a recording and yields all pictures of one stream of an episode.
 * @throws AssayError if a file cannot be read.
 */
async function* streamPictures(
  tree: SourceTree,
  { files }: RecordingSelector,
  { locator, log_s, start_ns }: PictureStreamRequest,
  openLog: OpenLog,
): AsyncGenerator<StreamedPicture, void, undefined> {
  if (log_s === null || start_ns === null) return;
  const collector = new StreamCollector(locator.channel, log_s);
  const target = createTarget(start_ns, locator.path, collector);
  for (const path of files) {
    await using walk = await openLog(tree, path, target, null);
    walk.rebase();
    while (collector.remaining > 0 && (await walk.step())) yield* collector.drain().map(toStreamedPicture);
    yield* collector.drain().map(toStreamedPicture);
  }
}

function toStreamedPicture({ row, log_ns, isKey, bytes, layout }: MatchedPicture): StreamedPicture {
  const picture = { index: row, time_s: log_ns / 1e9, bytes: bytes(), key: isKey };
  return layout === null ? picture : { ...picture, layout };
}

/**
 * Creates the target of a picture walk. Times are relative to the start of the episode, so that an episode in several
 * files needs no special handling.
 */
function createTarget(start_ns: string, path: string, receiver: PictureReceiver): WalkTarget {
  const recording = new Recording(BigInt(start_ns), path, 'log_time', { receiver });
  return {
    recording,
    segment: 0,
    maxHeldBytes: Number.POSITIVE_INFINITY,
    hashes: false,
    threads: 1,
    topics: null,
  };
}

/** A picture of the requested stream, with its row in the episode. */
interface MatchedPicture extends CandidatePicture {
  readonly row: number;
}

const ns_per_us = 1000;

/** Collects every picture of one stream of an episode while the recording is walked; rows are matched by log time. */
class StreamCollector implements PictureReceiver {
  readonly stream_id: string;
  readonly #matched: { row: number; bytes: Uint8Array; picture: CandidatePicture }[] = [];
  /** Rows that are not found yet, by log time in microseconds since the start of the episode. */
  readonly #rows = new Map<number, number[]>();

  /** `log_s`: log time of each row in seconds since the start of the episode. */
  constructor(stream_id: string, log_s: Float64Array) {
    this.stream_id = stream_id;
    for (const [row, time] of log_s.entries()) {
      const at_us = Math.round(time * 1e6);
      const waiting = this.#rows.get(at_us);
      if (waiting === undefined) this.#rows.set(at_us, [row]);
      else waiting.push(row);
    }
  }

  /** Number of rows that are not found yet. */
  get remaining(): number {
    return this.#rows.size;
  }

  offer(picture: CandidatePicture): void {
    const row = this.#rowAt(Math.round(picture.log_ns / ns_per_us));
    // Copied now, because the message buffer is reused.
    if (row !== null) this.#matched.push({ row, bytes: picture.bytes(), picture });
  }

  /** Returns the pictures found since the last call. */
  drain(): MatchedPicture[] {
    return this.#matched
      .splice(0)
      .map(({ row, bytes, picture }) => ({ ...picture, row, bytes: () => bytes }));
  }

  /** Returns the row with this log time. Seconds are stored as doubles, so log times match within one microsecond. */
  #rowAt(at_us: number): number | null {
    for (const near_us of [at_us, at_us - 1, at_us + 1]) {
      const waiting = this.#rows.get(near_us);
      const row = waiting?.shift();
      if (waiting?.length === 0) this.#rows.delete(near_us);
      if (row !== undefined) return row;
    }
    return null;
  }
}
