import { type JsonObject, messageOf } from '#kernel';
import type { SourceTree } from '#sources';
import { lerobotBreach } from '../../../contracts/lerobot/contract.ts';
import { parseTolerantJsonLines } from '../../../text/tolerant-json.ts';
import { type Feature, isObject, type LeRobotInfo, readJson } from '../sets/info.ts';
import type { Notes } from '../sets/notes.ts';
import { statsFindings } from './stats-findings.ts';

const wholeStatsPath = 'meta/stats.json';
export const episodeStatsPath = 'meta/episodes_stats.jsonl';
const headBytes = 4 * 1024 * 1024;

/** Whether the library normalises with what lines of episodes pool to, and not with meta/stats.json: from v2.1 to v3.0. */
export function poolsEpisodes(layout: 'v2' | 'v3', version: string | null): boolean {
  return layout === 'v2' && !/^v?(1\.|2\.0)/.test(version ?? '');
}

export interface ReadStats {
  readonly stats: JsonObject | null;
  /** File that they are from. */
  readonly statsPath: string | null;
}

/** The set's statistics by feature; of a v2.1 set the widest range of the first lines of its per-episode table. */
export async function readStats(
  tree: SourceTree,
  { version }: LeRobotInfo,
  features: ReadonlyMap<string, Feature>,
  layout: 'v2' | 'v3',
  notes: Notes,
): Promise<ReadStats> {
  const pools = poolsEpisodes(layout, version);
  const whole = tree.has(wholeStatsPath) ? await readWhole(tree, notes) : null;
  const pooled = pools && tree.has(episodeStatsPath) ? await fromEpisodes(tree) : null;
  const used = pools ? pooled : whole;
  const path = pools ? episodeStatsPath : wholeStatsPath;
  if (used !== null) {
    for (const finding of statsFindings(used, features, layout, path, pools)) notes.put(finding);
  } else if (!tree.has(path)) {
    const message = `the set has no ${path}: ${pools ? 'the library takes it for not downloaded and asks the Hub' : 'training cannot normalise state, action and pictures'}`;
    notes.put(lerobotBreach(layout, 'stats_missing', path, message));
  } else if (pools) {
    notes.add(
      'stats_unreadable',
      'error',
      path,
      `no line of ${path} can be read`,
      'compute the statistics again',
    );
  }
  const stats = whole ?? pooled;
  return { stats, statsPath: stats === null ? null : whole === null ? episodeStatsPath : wholeStatsPath };
}

async function readWhole(tree: SourceTree, notes: Notes): Promise<JsonObject | null> {
  const value = await readJson(tree, wholeStatsPath, notes).catch((thrown: unknown) => {
    const why = messageOf(thrown);
    notes.add('stats_unreadable', 'error', wholeStatsPath, why, 'compute the statistics again');
    return null;
  });
  return value !== null && isObject(value) ? value : null;
}

async function fromEpisodes(tree: SourceTree): Promise<JsonObject | null> {
  const text = new TextDecoder().decode(await tree.head(episodeStatsPath, headBytes));
  const lines = parseTolerantJsonLines(text, episodeStatsPath).values;
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
