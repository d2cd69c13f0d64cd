import type { JsonObject } from '#kernel';
import type { SourceTree } from '../../bytes/source-tree.ts';
import { parseTolerantJsonLines } from '../../text/tolerant-json.ts';
import { bookkeeping, type Feature, isObject, readJson } from './info.ts';
import { enumerate, type Notes } from './notes.ts';

const whole = 'meta/stats.json';
const perEpisode = 'meta/episodes_stats.jsonl';
const headBytes = 4 * 1024 * 1024;

/** The set's statistics by feature; of a v2.1 set the widest range of the first lines of its per-episode table. */
export async function readStats(
  tree: SourceTree,
  features: ReadonlyMap<string, Feature>,
  notes: Notes,
): Promise<JsonObject | null> {
  if (tree.has(whole)) {
    const value = await readJson(tree, whole, notes).catch((thrown: unknown) => {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      notes.add('stats_unreadable', 'error', whole, why, 'compute the statistics again');
      return null;
    });
    if (value === null || !isObject(value)) return null;
    reportGaps(value, features, notes);
    return value;
  }
  if (tree.has(perEpisode)) return fromEpisodes(tree);
  notes.add(
    'stats_missing',
    'warning',
    whole,
    `the set has no ${whole}: training cannot normalise state, action and pictures`,
    'compute the statistics',
  );
  return null;
}

function reportGaps(stats: JsonObject, features: ReadonlyMap<string, Feature>, notes: Notes): void {
  const needed = [...features.values()].filter(
    (feature) => !bookkeeping.has(feature.key) && !/^(string|language)$/.test(feature.dtype),
  );
  const lacking = needed.filter((feature) => !isObject(stats[feature.key])).map((feature) => feature.key);
  if (lacking.length > 0) {
    notes.add(
      'stats_incomplete',
      'warning',
      whole,
      `${whole} has no entry for ${enumerate(lacking)}: training asks for every camera, state and action`,
      'compute the statistics of every feature',
    );
  }
}

async function fromEpisodes(tree: SourceTree): Promise<JsonObject | null> {
  const text = new TextDecoder().decode(await tree.head(perEpisode, headBytes));
  const lines = parseTolerantJsonLines(text, perEpisode).values;
  const ranges = new Map<string, { min: number[]; max: number[] }>();
  for (const line of lines) {
    if (!isObject(line) || !isObject(line.stats)) continue;
    for (const [key, entry] of Object.entries(line.stats)) {
      if (isObject(entry)) widen(ranges, key, flat(entry.min), flat(entry.max));
    }
  }
  return ranges.size === 0 ? null : Object.fromEntries(ranges);
}

function flat(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'number') : [];
}

function widen(
  ranges: Map<string, { min: number[]; max: number[] }>,
  key: string,
  min: number[],
  max: number[],
): void {
  const known = ranges.get(key);
  if (known === undefined || known.min.length !== min.length) ranges.set(key, { min, max });
  else {
    known.min = known.min.map((value, dim) => Math.min(value, min[dim]));
    known.max = known.max.map((value, dim) => Math.max(value, max[dim]));
  }
}
