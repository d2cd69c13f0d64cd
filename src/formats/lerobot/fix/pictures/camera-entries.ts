import type { MediaService } from '#io/media';
import { isObject } from '../../../shared/fix/json-document.ts';
import type { LeRobotDraft } from '../draft/draft.ts';
import type { DraftEpisode } from '../draft/episode.ts';
import type { StatisticsEntry } from '../draft/statistics-entry.ts';
import { type Mend, unfixed } from '../mend/mend.ts';
import type { DeclaredEntries } from '../statistics/declared.ts';
import type { StatisticsLook } from '../statistics/look.ts';
import { EntryPool } from '../statistics/pool.ts';
import { putEpisodeEntry, putSetEntry } from '../statistics/put-entry.ts';
import { picturesOf } from './frames-of.ts';
import { measurePictures } from './measure-pictures.ts';
import { type PicturesWrong, wrongBeside, wrongByItself } from './picture-entry.ts';

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
