import { AssayError, type JsonValue } from '#core';
import type { FrameOutcome, MediaService } from '#io/media';
import { isObject } from '../../../shared/fix/json-document.ts';
import { PictureSamples } from '../../write/statistics/picture-samples.ts';
import type { LeRobotDraft } from '../draft/draft.ts';
import type { DraftEpisode } from '../draft/episode.ts';
import { flatNumbers, type StatisticsEntry } from '../draft/statistics-entry.ts';
import { type Mend, unfixed } from '../mend/mend.ts';
import type { DeclaredEntries } from '../statistics/declared.ts';
import { EntryPool, type StatisticsLook } from '../statistics/look.ts';
import { putEpisodeEntry, putSetEntry } from '../statistics/put-entry.ts';
import { type EpisodePictures, picturesOf } from './frames-of.ts';

type Code = Mend['answers'][number];

/** The statistics of one camera, episode after episode, and then those of the set. */
export class CameraEntries {
  readonly #draft: LeRobotDraft;
  readonly #look: StatisticsLook;
  readonly #camera: string;
  readonly #pool = new EntryPool();
  /** The set's entry as it is; null where the set needs none. */
  readonly #set: { readonly entry: StatisticsEntry | undefined; readonly wrong: PicturesWrong | null } | null;
  /** Episodes have entries of it, or get some. */
  readonly #kept: boolean;
  /** Names of statistics that an episode's row can hold. */
  readonly #names: ReadonlySet<string> | null;
  /** An episode has no entry that could be pooled. */
  #partial = false;

  constructor(draft: LeRobotDraft, look: StatisticsLook, camera: string) {
    this.#draft = draft;
    this.#look = look;
    this.#camera = camera;
    this.#set = setEntry(draft, look, camera);
    const known =
      draft.layout === 'v2' || look.declared.features.has(camera) || this.#set?.entry === undefined;
    this.#kept = look.kept && known;
    this.#names = namesIn(draft, camera);
  }

  /** Whether pictures were decoded. Throws `unfinished`, and as `signal` does. */
  async add(episode: DraftEpisode, declared: DeclaredEntries, media: MediaService): Promise<boolean> {
    const kept = this.#kept;
    const { pictures = false } = this.#draft.options;
    const entry = declared[this.#camera];
    const wrong = kept ? wrongByItself(entry) : (this.#set?.wrong ?? null);
    if (wrong === null && !pictures) {
      if (kept && entry !== undefined) this.#pool.add(entry);
      return false;
    }
    const found = await this.#measure(episode, media);
    if (found === null) {
      this.#partial = true;
      return true;
    }
    const own = wrong ?? (kept && entry !== undefined ? wrongBeside(entry, found) : null);
    const said = own === null && kept && entry !== undefined ? entry : found;
    this.#pool.add(said);
    if (own !== null && kept)
      putEpisodeEntry(this.#draft, episode, this.#camera, said, {
        code: episodeCode(own),
        before: own.before,
        after: 'computed from its pictures',
      });
    return true;
  }

  /** To be called when every episode was added. */
  conclude(): void {
    if (this.#set === null) return;
    const { setStatistics, options } = this.#draft;
    const pooled = this.#pool.entry();
    const { entry } = this.#set;
    const beside =
      options.pictures === true && entry !== undefined && pooled !== null && !this.#partial
        ? wrongBeside(entry, pooled)
        : null;
    const wrong = this.#set.wrong ?? beside;
    if (wrong === null || setStatistics === null || pooled === null || this.#partial) return;
    putSetEntry(this.#draft, setStatistics, this.#camera, pooled, {
      code: this.#setCode(wrong),
      before: wrong.before,
      after: 'pooled',
    });
  }

  async #measure(episode: DraftEpisode, media: MediaService): Promise<StatisticsEntry | null> {
    const where = await picturesOf(this.#draft, this.#look.rows, this.#camera, episode);
    const found =
      'reason' in where ? where.reason : await measurePictures(media, where, this.#draft.options.signal);
    if (typeof found !== 'string')
      return Object.fromEntries(Object.entries(found).filter(([name]) => this.#names?.has(name) ?? true));
    unfixed(this.#draft, 'camera_stats_missing', {
      path: where.path,
      episode: episode.index,
      message: `statistics of ${this.#camera} of episode ${episode.index} cannot be computed: ${found}`,
      advice: 'Mend or restore its pictures, then run assay fix again.',
    });
    return null;
  }

  #setCode({ kind }: PicturesWrong): Code {
    const { layout, setStatistics } = this.#draft;
    if (layout === 'v2' && this.#look.kept) return 'unused_stats_wrong';
    if (kind === 'not_a_number') return 'stats_not_a_number';
    if (kind === 'scale') return 'picture_stats_scale';
    if (kind !== 'missing') return 'picture_stats_wrong';
    return Object.keys(setStatistics?.value ?? {}).length === 0 ? 'stats_missing' : 'camera_stats_missing';
  }
}

function setEntry(draft: LeRobotDraft, { kept }: StatisticsLook, camera: string) {
  // v2.1 pools the episodes' lines whenever it opens a set, and may have no such file.
  if (draft.setStatistics === null) return null;
  const value = draft.setStatistics.value[camera];
  const entry = isObject(value) ? { ...value } : undefined;
  if (entry === undefined && draft.layout === 'v2' && kept) return null;
  return { entry, wrong: wrongByItself(entry) };
}

/** v2 keeps no quantiles; a table of v3 that has columns of this camera gets no more of them. */
function namesIn({ layout, episodeColumns }: LeRobotDraft, camera: string): ReadonlySet<string> | null {
  if (layout === 'v2') return new Set(['min', 'max', 'mean', 'std', 'count']);
  const start = `stats/${camera}/`;
  const own = [...episodeColumns.keys()].filter((name) => name.startsWith(start));
  return own.length === 0 ? null : new Set(own.map((name) => name.slice(start.length)));
}

function episodeCode({ kind }: PicturesWrong): Code {
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

/** What the pictures of a camera give in one episode, or why they give nothing. Throws `unfinished` and `cancelled`. */
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
          const reason = offer(samples, rows[at++], frame);
          if (reason !== null) return reason;
        }
    }
  } catch (thrown) {
    if (thrown instanceof AssayError && thrown.code === 'media_failed') return thrown.message;
    throw thrown;
  }
  return { ...samples.result() };
}

function offer(samples: PictureSamples, row: number, frame: FrameOutcome): string | null {
  if (!('pictures' in frame)) return `the picture of row ${row} is not decoded: ${frame.reason}`;
  const [picture] = frame.pictures;
  if (picture === null) return `the picture of row ${row} is not decoded`;
  samples.offer(row, picture);
  return null;
}

/** In what way an entry cannot be that of pictures, or is not that of these. */
interface PicturesWrong {
  readonly kind: 'missing' | 'malformed' | 'not_a_number' | 'scale' | 'impossible' | 'stale';
  readonly before: string;
}

const names = ['min', 'max', 'mean', 'std'] as const;
/** A mean over rounded pictures may pass 1 by a hair. */
const most = 1.01;
/** Values are rounded on their way through tables. */
const slack = 1e-3;

/** What shows without a look at the pictures; null where nothing does. */
function wrongByItself(entry: StatisticsEntry | undefined): PicturesWrong | null {
  if (entry === undefined) return { kind: 'missing', before: 'absent' };
  const lists = names.map((name) => flatNumbers(entry[name]));
  for (const [at, list] of lists.entries()) {
    if (list === null) return { kind: 'missing', before: `no ${names[at]}` };
    if (!isShaped(entry[names[at]])) return { kind: 'malformed', before: `${names[at]} is not [3, 1, 1]` };
    if (!list.every(Number.isFinite)) return { kind: 'not_a_number', before: `${names[at]} is no number` };
  }
  if (!((flatNumbers(entry.count)?.[0] ?? 0) > 0)) return { kind: 'missing', before: 'no count' };
  const [min, max, mean] = lists as number[][];
  const largest = Math.max(...max, ...mean);
  if (largest > most) return { kind: 'scale', before: `values up to ${short(largest)}` };
  return outOfOrder(entry, { min, max, mean });
}

/** How far a decoded picture may lie from the one that the recorder measured before it encoded, of 0 to 1. */
const lossy = 0.05;

/** Against what the pictures give. */
function wrongBeside(entry: StatisticsEntry, measured: StatisticsEntry): PicturesWrong | null {
  for (const name of ['mean', 'std'] as const) {
    const [said, found] = [entry, measured].map((one) => flatNumbers(one[name]) ?? []);
    const channel = said.findIndex((value, at) => !(Math.abs(value - found[at]) <= lossy));
    if (channel < 0) continue;
    return { kind: 'stale', before: `${name} of channel ${channel} ${short(said[channel])}` };
  }
  return null;
}

function outOfOrder(
  entry: StatisticsEntry,
  { min, max, mean }: Readonly<Record<'min' | 'max' | 'mean', readonly number[]>>,
): PicturesWrong | null {
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
      const channel = min.findIndex((_, dim) => !(steps[at - 1][1][dim] <= steps[at][1][dim] + slack));
      if (channel < 0) continue;
      const [lower, upper] = [steps[at - 1][0], steps[at][0]];
      return { kind: 'impossible', before: `${lower} of channel ${channel} above ${upper}` };
    }
  return null;
}

/** Three channels, each in two brackets of its own: the library pools nothing else. */
function isShaped(value: JsonValue | undefined): boolean {
  const isOne = (part: JsonValue): part is readonly JsonValue[] => Array.isArray(part) && part.length === 1;
  return (
    Array.isArray(value) &&
    value.length === 3 &&
    value.every((channel) => isOne(channel) && isOne(channel[0]) && !Array.isArray(channel[0][0]))
  );
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}
