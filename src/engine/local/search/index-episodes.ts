import { AssayError } from '#core';
import type { Receipt } from '#core/api';
import type { EpisodeSample } from '#quality/curation';
import type { IndexedEpisode } from '#quality/search';
import type { Recordings } from '../../recordings/open-recordings.ts';
import { assess } from '../assess.ts';
import type { AssessHooks, AssessOptions } from '../options.ts';
import type { AssessmentResult } from '../result/result.ts';

/** An episode of an index, and the folder of its dataset below the path; `.` for the path itself. */
export interface FoundEpisode extends IndexedEpisode {
  readonly dataset: string;
  readonly format: string;
  /** `content_hash` of its receipt; null where no receipts were asked for. */
  readonly receipt: string | null;
  /** What curation compares it by beside its vectors. */
  readonly curation: EpisodeSample;
}

export interface EpisodeIndex {
  /** In the order of datasets and episodes. */
  readonly episodes: readonly FoundEpisode[];
  /** SHA-256 of the settings that decisions and scores are of. */
  readonly settings_hash: string;
  /** Episodes and files that could not be read. */
  readonly unreadable: number;
}

/**
 * Judges and describes every episode under `path`. With `cacheFolder` the index lies there, under the content of the
 * recordings: what has not changed is not read again, and what is damaged there is made anew. Throws as `assess`, and
 * `unfinished` where something could not be measured here.
 */
export async function indexEpisodes(
  path: Recordings,
  options: AssessOptions,
  hooks: AssessHooks = {},
): Promise<EpisodeIndex> {
  const result = await assess(path, { ...options, embed: true }, hooks);
  try {
    const [incomplete] = result.incomplete;
    if (incomplete !== undefined)
      throw new AssayError('unfinished', `${incomplete.path} could not be measured: ${incomplete.reason}`, {
        advice: 'run the same command again',
      });
    return { episodes: indexOf(result), settings_hash: result.settings.hash, unreadable: result.unreadable };
  } finally {
    await result.close();
  }
}

function indexOf({ datasets, verdicts, embedded, receipts }: AssessmentResult): FoundEpisode[] {
  const described = new Map(embedded.map((one) => [keyOf(one), one]));
  const hashes = hashesOf(embedded, receipts());
  return verdicts.flatMap((verdict) => {
    const key = keyOf(verdict);
    const found = described.get(key);
    if (found === undefined) return [];
    const { kind, decision, score, duration_s, flags } = verdict;
    const judged = { kind, decision, score, duration_s, flags: [...new Set(flags.map(({ code }) => code))] };
    const { path: dataset, facts } = datasets[verdict.dataset];
    return [{ ...found, ...judged, dataset, format: facts.format, receipt: hashes.get(key) ?? null }];
  });
}

/** Receipts come in the order in which episodes were described. */
function hashesOf(embedded: AssessmentResult['embedded'], receipts: Iterable<string>): Map<string, string> {
  const hashes = new Map<string, string>();
  let place = 0;
  for (const json of receipts) {
    const { content_hash, episode }: Receipt = JSON.parse(json);
    const one = embedded[place++];
    if (one?.id !== episode.id)
      throw new AssayError('internal', `the receipt of ${episode.id} is out of place`);
    hashes.set(keyOf(one), content_hash);
  }
  return hashes;
}

const keyOf = (one: { readonly dataset: number; readonly index: number; readonly id: string }): string =>
  `${one.dataset}/${one.index}/${one.id}`;
