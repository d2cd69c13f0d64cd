import { AssayError } from '#core';
import type { Receipt } from '#core/api';
import { type CurationEpisode, decodeSample, type EpisodeSample, planNames } from '#quality/curation';
import type { IndexedEpisode } from '#quality/search';
import type { Recordings } from '../open-recordings.ts';
import { assess } from './assess.ts';
import type { AssessHooks, AssessOptions } from './options.ts';
import type { AssessmentResult } from './result.ts';

/** An episode of an index, with its dataset's folder below the path (`.` for itself). */
export interface FoundEpisode extends IndexedEpisode {
  readonly dataset: string;
  readonly format: string;
  /** `content_hash` of its receipt; `null` without receipts. */
  readonly receipt: string | null;
  /** Data that curation compares, besides the vectors. */
  readonly curation: EpisodeSample;
}

/** Search index of all episodes under a path. */
export interface EpisodeIndex {
  /** Episodes in the order of datasets. */
  readonly episodes: readonly FoundEpisode[];
  /** SHA-256 of the readiness settings. */
  readonly settings_hash: string;
  /** Number of episodes and files that could not be read. */
  readonly unreadable: number;
}

/**
 * Assesses every episode under `path` and returns verdict, tasks, vectors and samples of each for search and curation.
 * Throws as `assess`, and `unfinished` if something could not be measured here. With `cacheFolder`, unchanged
 * recordings are not read again, and damaged cache entries are replaced.
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
    return {
      episodes: buildIndex(result),
      settings_hash: result.settings.hash,
      unreadable: result.unreadable,
    };
  } finally {
    await result.close();
  }
}

function buildIndex({ datasets, verdicts, embedded, receipts }: AssessmentResult): FoundEpisode[] {
  const described = new Map(embedded.map((one) => [episodeKey(one), one]));
  const hashes = readReceiptHashes(embedded, receipts());
  return verdicts.flatMap((verdict) => {
    const key = episodeKey(verdict);
    const found = described.get(key);
    if (found === undefined) return [];
    const { kind, decision, score, duration_s, flags } = verdict;
    const judged = { kind, decision, score, duration_s, flags: [...new Set(flags.map(({ code }) => code))] };
    const { path: dataset, facts } = datasets[verdict.dataset];
    return [{ ...found, ...judged, dataset, format: facts.format, receipt: hashes.get(key) ?? null }];
  });
}

/** Returns receipt hashes by episode. Receipts and descriptions have the same order. */
function readReceiptHashes(
  embedded: AssessmentResult['embedded'],
  receipts: Iterable<string>,
): Map<string, string> {
  const hashes = new Map<string, string>();
  let place = 0;
  for (const json of receipts) {
    const { content_hash, episode }: Receipt = JSON.parse(json);
    const one = embedded[place++];
    if (one?.id !== episode.id)
      throw new AssayError('internal', `the receipt of ${episode.id} is out of order`);
    hashes.set(episodeKey(one), content_hash);
  }
  return hashes;
}

const episodeKey = (one: { readonly dataset: number; readonly index: number; readonly id: string }): string =>
  `${one.dataset}/${one.index}/${one.id}`;

/**
 * Converts an index to the episodes that curation takes, in the same order, under their plan names. `operators`: operator by
 * episode, since no format stores it.
 */
export function curationEpisodes(
  { episodes }: EpisodeIndex,
  operators: ReadonlyMap<string, string> = new Map(),
): CurationEpisode[] {
  const names = planNames(episodes.map(({ id: name, dataset, format }) => ({ name, dataset, format })));
  return episodes.map((episode, i) => {
    const id = names[i];
    const { decision, score, flags, tasks, robot, duration_s, objects, curation } = episode;
    const outcome =
      episode.outcome === 'success' || episode.outcome === 'failure' ? episode.outcome : 'unknown';
    return {
      ...{ id, decision, score, flags, robot, outcome, duration_s, objects },
      task: tasks[0] ?? null,
      operator: operators.get(id) ?? operators.get(episode.id) ?? null,
      ...decodeSample(curation),
      ...toVectors(episode),
    };
  });
}

function toVectors({ vectors }: FoundEpisode): Pick<CurationEpisode, 'motion' | 'picture' | 'layouts'> {
  const [motion, picture] = ['motion', 'picture'].map((id) =>
    vectors.find(({ descriptor }) => descriptor === id),
  );
  return {
    ...(motion === undefined ? {} : { motion: Float32Array.from(motion.vector) }),
    ...(picture === undefined ? {} : { picture: Float32Array.from(picture.vector) }),
    layouts: {
      ...(motion === undefined ? {} : { motion: motion.layout }),
      ...(picture === undefined ? {} : { picture: picture.layout }),
    },
  };
}
