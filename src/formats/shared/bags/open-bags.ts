import { AssayError } from '#core';
import type { KeptPicture } from '#core/episode';
import type { SourceTree } from '#io/sources';
import {
  type OfferedPicture,
  WantedPicture,
  type WantedPictures,
} from '../messages/pictures/wanted-picture.ts';
import { Recording } from '../messages/recording.ts';
import type {
  Dataset,
  PicturesWanted,
  PictureWanted,
  Recognition,
  StreamedPicture,
  UnitTail,
} from '../reader.ts';
import type { OpenLog, WalkTarget } from './log-walk.ts';
import type { RecordingPlan, RecordingSelector } from './plan-recordings.ts';
import { readRecording } from './read-recording.ts';

/** What a container adds to the recordings that were planned. */
export interface BagFormat {
  readonly format: string;
  readonly version: string | null;
  /** The container has a place for when a message was sent. */
  readonly keeps_publish_time: boolean;
  readonly openLog: OpenLog;
  /** What the end of one file says of it; absent where it says nothing. */
  readonly tailOf?: (tree: SourceTree, path: string) => Promise<UnitTail | null>;
}

/** The dataset of recordings that were planned; what is in them is read unit by unit. */
export function openBags(
  tree: SourceTree,
  recognition: Recognition,
  plan: RecordingPlan,
  { format, version, keeps_publish_time, openLog, tailOf }: BagFormat,
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
      if (!isSelector(selector)) throw new AssayError('internal', `${unit.id} is no unit of ${format} files`);
      const bag = selector.sidecar === null ? null : (plan.bags.get(selector.sidecar) ?? null);
      return readRecording({ tree, unit, selector, bag, format, keeps_publish_time, openLog }, options);
    },
    picturesAt: async (wanted) => {
      const selector = plan.selectors.find(({ files }) => files.includes(wanted.locator.path));
      return selector === undefined ? [] : picturesAt(tree, selector, wanted, openLog);
    },
    pictures: async function* (wanted) {
      const selector = plan.selectors.find(({ files }) => files.includes(wanted.locator.path));
      if (selector !== undefined) yield* streamPictures(tree, selector, wanted, openLog);
    },
    ...(tailOf === undefined
      ? {}
      : {
          tail: async ({ selector }) =>
            isSelector(selector)
              ? joined(await Promise.all(selector.files.map((path) => tailOf(tree, path))))
              : null,
        }),
    close: async () => {},
  };
}

/** Of several files; null where one does not say. */
function joined(tails: readonly (UnitTail | null)[]): UnitTail | null {
  const known = tails.filter((tail) => tail !== null);
  if (known.length === 0 || known.length < tails.length) return null;
  const least = (a: bigint, b: bigint) => (a < b ? a : b);
  const most = (a: bigint, b: bigint) => (a > b ? a : b);
  return {
    messages: known.reduce((sum, { messages }) => sum + messages, 0),
    start_ns: String(known.map(({ start_ns }) => BigInt(start_ns)).reduce(least)),
    end_ns: String(known.map(({ end_ns }) => BigInt(end_ns)).reduce(most)),
  };
}

/** Also of a unit that came back from another thread. */
function isSelector(value: unknown): value is RecordingSelector {
  return typeof value === 'object' && value !== null && 'files' in value && Array.isArray(value.files);
}

/** The first file of a plan, by which its version is told; null where there is none. */
export function firstFile({ selectors }: RecordingPlan): string | null {
  return selectors[0]?.files[0] ?? null;
}

/** Walks a recording up to one picture. Throws what is wrong with its files where the picture was not in another. */
async function picturesAt(
  tree: SourceTree,
  { files }: RecordingSelector,
  { locator, log_s, start_ns }: PictureWanted,
  openLog: OpenLog,
): Promise<readonly KeptPicture[]> {
  if (log_s === null || start_ns === null) return [];
  const wanted = new WantedPicture(locator.channel, log_s * 1e9);
  const target = targetFor(start_ns, locator.path, wanted);
  let failure: AssayError | null = null;
  for (const path of files) {
    try {
      await using walk = await openLog(tree, path, target, null);
      walk.rebase();
      while (!wanted.found && (await walk.step()));
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      failure ??= thrown;
    }
    if (wanted.found) return wanted.pictures;
  }
  if (failure !== null) throw failure;
  return [];
}

/** Walks a recording for all pictures of one stream of an episode. Throws where a file of it cannot be read. */
async function* streamPictures(
  tree: SourceTree,
  { files }: RecordingSelector,
  { locator, log_s, start_ns }: PicturesWanted,
  openLog: OpenLog,
): AsyncGenerator<StreamedPicture, void, undefined> {
  if (log_s === null || start_ns === null) return;
  const wanted = new AllPictures(locator.channel, log_s);
  const target = targetFor(start_ns, locator.path, wanted);
  for (const path of files) {
    await using walk = await openLog(tree, path, target, null);
    walk.rebase();
    while (wanted.awaited > 0 && (await walk.step())) yield* wanted.take().map(streamed);
    yield* wanted.take().map(streamed);
  }
}

function streamed({ row, log_ns, isKey, bytes, layout }: TakenPicture): StreamedPicture {
  const picture = { index: row, time_s: log_ns / 1e9, bytes: bytes(), key: isKey };
  return layout === null ? picture : { ...picture, layout };
}

/** Times count from the start of the episode, so that a recording in several parts is one walk all the same. */
function targetFor(start_ns: string, path: string, wanted: WantedPictures): WalkTarget {
  const recording = new Recording(BigInt(start_ns), path, 'log_time', wanted);
  return { recording, segment: 0, heldLimit: Number.POSITIVE_INFINITY, hashes: false, threads: 1 };
}

/** A picture that came by, with its row in the episode. */
interface TakenPicture extends OfferedPicture {
  readonly row: number;
}

const ns_per_us = 1000;

/** Takes every picture of one stream of an episode as the recording is walked; rows are told by log times. */
class AllPictures implements WantedPictures {
  readonly stream_id: string;
  readonly #taken: { row: number; bytes: Uint8Array; picture: OfferedPicture }[] = [];
  /** By microsecond since the start of the episode: rows that were written down then, and did not come by yet. */
  readonly #rows = new Map<number, number[]>();

  /** `log_s`: when each row was written down, since the start of the episode. */
  constructor(stream_id: string, log_s: Float64Array) {
    this.stream_id = stream_id;
    for (const [row, time] of log_s.entries()) {
      const at_us = Math.round(time * 1e6);
      const own = this.#rows.get(at_us);
      if (own === undefined) this.#rows.set(at_us, [row]);
      else own.push(row);
    }
  }

  /** Rows that are still to come. */
  get awaited(): number {
    return this.#rows.size;
  }

  offer(picture: OfferedPicture): void {
    const row = this.#rowAt(Math.round(picture.log_ns / ns_per_us));
    // What the bytes lie in is used again after the message.
    if (row !== null) this.#taken.push({ row, bytes: picture.bytes(), picture });
  }

  /** What came by since it was last asked. */
  take(): TakenPicture[] {
    return this.#taken.splice(0).map(({ row, bytes, picture }) => ({ ...picture, row, bytes: () => bytes }));
  }

  /** Seconds are kept as doubles: a log time comes back within a microsecond. */
  #rowAt(at_us: number): number | null {
    for (const near_us of [at_us, at_us - 1, at_us + 1]) {
      const own = this.#rows.get(near_us);
      const row = own?.shift();
      if (own?.length === 0) this.#rows.delete(near_us);
      if (row !== undefined) return row;
    }
    return null;
  }
}
