import { AssayError, type JsonValue } from '#core';
import type { FrameOutcome, MediaService } from '#io/media';
import { isObject } from '../../../shared/fix/json-files.ts';
import { PictureSamples } from '../../write/picture-samples.ts';
import { flatNumbers, type LeRobotDraft, type StatisticsEntry } from '../draft.ts';
import { type LeRobotFix, recordUnfixed } from '../fixes/fix.ts';
import type { DraftEpisode } from '../tables.ts';
import { EntryPool, type StatisticsContext } from './context.ts';
import { type DeclaredEntries, setDatasetEntry, setEpisodeEntry } from './entries.ts';
import { type EpisodePictures, locatePictures } from './episode-pictures.ts';

type Code = LeRobotFix['answers'][number];

/** Checks and recomputes the statistics of one camera: of each episode, then of the set. */
export class CameraEntries {
  readonly #draft: LeRobotDraft;
  readonly #context: StatisticsContext;
  readonly #camera: string;
  readonly #pool = new EntryPool();
  /** Current entry of the set and its fault; null if the set needs none. */
  readonly #set: {
    readonly entry: StatisticsEntry | undefined;
    readonly wrong: PictureStatisticsFault | null;
  } | null;
  /** True if episodes have, or should have, entries of this camera. */
  readonly #hasEpisodeEntries: boolean;
  /** Names of statistics that an episode's row can hold; null for all. */
  readonly #storableNames: ReadonlySet<string> | null;
  /** True if an episode has no entry to pool, so that the set's entry cannot be computed. */
  #isIncomplete = false;

  constructor(draft: LeRobotDraft, context: StatisticsContext, camera: string) {
    this.#draft = draft;
    this.#context = context;
    this.#camera = camera;
    this.#set = readSetEntry(draft, context, camera);
    const known =
      draft.layout === 'v2' || context.declared.features.has(camera) || this.#set?.entry === undefined;
    this.#hasEpisodeEntries = context.hasEpisodeStatistics && known;
    this.#storableNames = findStorableNames(draft, camera);
  }

  /**
   * Checks the entry of one episode, recomputes it from its pictures if it is faulty (with `pictures`, always), and
   * records a change. Returns false if no pictures were needed. Throws `unfinished` and `cancelled`.
   */
  async add(episode: DraftEpisode, declared: DeclaredEntries, media: MediaService): Promise<boolean> {
    const kept = this.#hasEpisodeEntries;
    const { pictures = false } = this.#draft.options;
    const entry = declared[this.#camera];
    const wrong = kept ? findIntrinsicFault(entry) : (this.#set?.wrong ?? null);
    if (wrong === null && !pictures) {
      if (kept && entry !== undefined) this.#pool.add(entry);
      return false;
    }
    const found = await this.#measure(episode, media);
    if (found === null) {
      this.#isIncomplete = true;
      return true;
    }
    const own = wrong ?? (kept && entry !== undefined ? compareWithMeasured(entry, found) : null);
    const current = own === null && kept && entry !== undefined ? entry : found;
    this.#pool.add(current);
    if (own !== null && kept)
      setEpisodeEntry(this.#draft, episode, this.#camera, current, {
        code: episodeCode(own),
        before: own.before,
        after: 'computed from its images',
      });
    return true;
  }

  /**
   * Replaces the set's entry by the pooled entries of the episodes if it is faulty, or with `pictures` differs from
   * them; does nothing if an episode could not be computed. Call it after all episodes were added.
   */
  finish(): void {
    if (this.#set === null) return;
    const { setStatistics, options } = this.#draft;
    const pooled = this.#pool.entry();
    const { entry } = this.#set;
    const beside =
      options.pictures === true && entry !== undefined && pooled !== null && !this.#isIncomplete
        ? compareWithMeasured(entry, pooled)
        : null;
    const wrong = this.#set.wrong ?? beside;
    if (wrong === null || setStatistics === null || pooled === null || this.#isIncomplete) return;
    setDatasetEntry(this.#draft, setStatistics, this.#camera, pooled, {
      code: this.#setCode(wrong),
      before: wrong.before,
      after: 'computed from all episodes',
    });
  }

  /** Computes the entry of an episode from its pictures; null, reported as unfixed, if they cannot be decoded. */
  async #measure(episode: DraftEpisode, media: MediaService): Promise<StatisticsEntry | null> {
    const where = await locatePictures(this.#draft, this.#context.locations, this.#camera, episode);
    const found =
      'reason' in where ? where.reason : await measurePictures(media, where, this.#draft.options.signal);
    if (typeof found !== 'string')
      return Object.fromEntries(
        Object.entries(found).filter(([name]) => this.#storableNames?.has(name) ?? true),
      );
    recordUnfixed(this.#draft, 'camera_stats_missing', {
      path: where.path,
      episode: episode.index,
      message: `cannot compute statistics of ${this.#camera} for episode ${episode.index}: ${found}`,
      advice: 'Repair or restore its images, then run assay fix again.',
    });
    return null;
  }

  /** Returns the rule code for a fault of the set's entry. */
  #setCode({ kind }: PictureStatisticsFault): Code {
    const { layout, setStatistics } = this.#draft;
    if (layout === 'v2' && this.#context.hasEpisodeStatistics) return 'unused_stats_wrong';
    if (kind === 'not_a_number') return 'stats_not_a_number';
    if (kind === 'scale') return 'picture_stats_scale';
    if (kind !== 'missing') return 'picture_stats_wrong';
    return Object.keys(setStatistics?.value ?? {}).length === 0 ? 'stats_missing' : 'camera_stats_missing';
  }
}

/** Reads the set's entry of a camera; null if the set needs none. */
function readSetEntry(draft: LeRobotDraft, { hasEpisodeStatistics }: StatisticsContext, camera: string) {
  // v2.1 pools the episodes' lines whenever it opens a set, and may have no such file.
  if (draft.setStatistics === null) return null;
  const value = draft.setStatistics.value[camera];
  const entry = isObject(value) ? { ...value } : undefined;
  if (entry === undefined && draft.layout === 'v2' && hasEpisodeStatistics) return null;
  return { entry, wrong: findIntrinsicFault(entry) };
}

/**
 * Returns the storable statistics: v2 has no quantiles, and an existing v3 table only the columns that it has; null
 * for all.
 */
function findStorableNames(
  { layout, episodeColumns }: LeRobotDraft,
  camera: string,
): ReadonlySet<string> | null {
  if (layout === 'v2') return new Set(['min', 'max', 'mean', 'std', 'count']);
  const start = `stats/${camera}/`;
  const own = [...episodeColumns.keys()].filter((name) => name.startsWith(start));
  return own.length === 0 ? null : new Set(own.map((name) => name.slice(start.length)));
}

/** Returns the rule code for a fault of an episode's entry. */
function episodeCode({ kind }: PictureStatisticsFault): Code {
  const codes = {
    missing: 'episode_stats_missing',
    malformed: 'episode_stats_malformed',
    not_a_number: 'stats_not_a_number',
    scale: 'picture_stats_scale',
    impossible: 'episode_stats_stale',
    stale: 'episode_stats_stale',
  } as const;
  return codes[kind];
}

/**
 * Computes the statistics of a camera in one episode from its pictures. Returns a reason as text if they cannot be
 * decoded. Throws `unfinished` and `cancelled`.
 */
async function measurePictures(
  media: MediaService,
  { length, parts }: EpisodePictures,
  signal?: AbortSignal,
): Promise<StatisticsEntry | string> {
  const samples = new PictureSamples(length);
  try {
    for await (const { rows, request } of parts()) {
      let at = 0;
      for await (const frames of media.decode(request, signal))
        for (const frame of frames) {
          const reason = offerFrame(samples, rows[at++], frame);
          if (reason !== null) return reason;
        }
    }
  } catch (thrown) {
    if (thrown instanceof AssayError && thrown.code === 'media_failed') return thrown.message;
    throw thrown;
  }
  return { ...samples.result() };
}

/** Adds a decoded frame to the samples; returns the reason if it was not decoded. */
function offerFrame(samples: PictureSamples, row: number, frame: FrameOutcome): string | null {
  if (!('pictures' in frame)) return `cannot decode the image of row ${row}: ${frame.reason}`;
  const [picture] = frame.pictures;
  if (picture === null) return `cannot decode the image of row ${row}`;
  samples.offer(row, picture);
  return null;
}

/** A fault of a camera entry: impossible for pictures, or different from the actual ones. */
interface PictureStatisticsFault {
  readonly kind: 'missing' | 'malformed' | 'not_a_number' | 'scale' | 'impossible' | 'stale';
  readonly before: string;
}

const statisticNames = ['min', 'max', 'mean', 'std'] as const;
/** Largest plausible value; rounding may exceed 1 slightly. */
const maxValue = 1.01;
/** Tolerance for values rounded in tables. */
const roundingTolerance = 1e-3;

/** Finds a fault that is visible without the pictures; null if there is none. */
function findIntrinsicFault(entry: StatisticsEntry | undefined): PictureStatisticsFault | null {
  if (entry === undefined) return { kind: 'missing', before: 'missing' };
  const lists = statisticNames.map((name) => flatNumbers(entry[name]));
  for (const [at, list] of lists.entries()) {
    if (list === null) return { kind: 'missing', before: `no ${statisticNames[at]}` };
    if (!isShaped(entry[statisticNames[at]]))
      return { kind: 'malformed', before: `${statisticNames[at]} does not have the shape [3, 1, 1]` };
    if (!list.every(Number.isFinite))
      return { kind: 'not_a_number', before: `${statisticNames[at]} is not a finite number` };
  }
  if (!((flatNumbers(entry.count)?.[0] ?? 0) > 0)) return { kind: 'missing', before: 'no count' };
  const [min, max, mean] = lists as number[][];
  const largest = Math.max(...max, ...mean);
  if (largest > maxValue) return { kind: 'scale', before: `values up to ${formatNumber(largest)}` };
  return findOrderFault(entry, { min, max, mean });
}

/** Tolerance for lossy video, on the scale 0 to 1. */
const lossyTolerance = 0.05;

/** Compares an entry with statistics measured from the pictures; null if they agree. */
function compareWithMeasured(
  entry: StatisticsEntry,
  measured: StatisticsEntry,
): PictureStatisticsFault | null {
  for (const name of ['mean', 'std'] as const) {
    const [current, found] = [entry, measured].map((one) => flatNumbers(one[name]) ?? []);
    const channel = current.findIndex((value, at) => !(Math.abs(value - found[at]) <= lossyTolerance));
    if (channel < 0) continue;
    return { kind: 'stale', before: `${name} of channel ${channel} = ${formatNumber(current[channel])}` };
  }
  return null;
}

/** Finds statistics out of order: min, quantiles, max, and min, mean, max; null if there are none. */
function findOrderFault(
  entry: StatisticsEntry,
  { min, max, mean }: Readonly<Record<'min' | 'max' | 'mean', readonly number[]>>,
): PictureStatisticsFault | null {
  const levels = Object.keys(entry)
    .filter((name) => /^q\d+$/.test(name))
    .sort();
  const rising = [
    ['min', min],
    ...levels.map((name) => [name, flatNumbers(entry[name]) ?? []] as const),
    ['max', max],
  ] as const;
  for (const steps of [
    rising,
    [
      ['min', min],
      ['mean', mean],
      ['max', max],
    ] as const,
  ])
    for (let at = 1; at < steps.length; at++) {
      const channel = min.findIndex(
        (_, dim) => !(steps[at - 1][1][dim] <= steps[at][1][dim] + roundingTolerance),
      );
      if (channel < 0) continue;
      const [lower, upper] = [steps[at - 1][0], steps[at][0]];
      return { kind: 'impossible', before: `${lower} of channel ${channel} is above ${upper}` };
    }
  return null;
}

/** Returns true for the shape [3, 1, 1], the only one that the library pools. */
function isShaped(value: JsonValue | undefined): boolean {
  const isOne = (part: JsonValue): part is readonly JsonValue[] => Array.isArray(part) && part.length === 1;
  return (
    Array.isArray(value) &&
    value.length === 3 &&
    value.every((channel) => isOne(channel) && isOne(channel[0]) && !Array.isArray(channel[0][0]))
  );
}

function formatNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}
