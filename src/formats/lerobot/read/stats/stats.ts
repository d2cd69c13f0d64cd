import { type JsonObject, messageOf, parseTolerantJsonLines } from '#core';
import type { SourceTree } from '#io/sources';
import {
  type Feature,
  isObject,
  jsonRefused,
  type LeRobotInfo,
  readJson,
  reportOddities,
} from '../../metadata/info.ts';
import type { Notes } from '../../metadata/notes.ts';
import { reportBadLines } from '../../metadata/tasks.ts';
import { lerobotBreach } from '../../rules/contract.ts';
import { statsFindings } from './stats-findings.ts';

const wholeStatsPath = 'meta/stats.json';
export const episodeStatsPath = 'meta/episodes_stats.jsonl';
const headBytes = 4 * 1024 * 1024;
const newline = 0x0a;

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
  const whole = tree.has(wholeStatsPath) ? await readWhole(tree, notes, pools) : null;
  const pooled = pools && tree.has(episodeStatsPath) ? await fromEpisodes(tree, notes) : null;
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

/** `pools`: the library does not read the file. */
async function readWhole(tree: SourceTree, notes: Notes, pools: boolean): Promise<JsonObject | null> {
  const reader = pools ? 'others' : 'library';
  const value = await readJson(tree, wholeStatsPath, notes, reader).catch((thrown: unknown) => {
    const why = messageOf(thrown);
    if (pools) notes.add('stats_unreadable', 'error', wholeStatsPath, why, 'compute the statistics again');
    else notes.put(jsonRefused(wholeStatsPath, why));
    return null;
  });
  return value !== null && isObject(value) ? value : null;
}

async function fromEpisodes(tree: SourceTree, notes: Notes): Promise<JsonObject | null> {
  const head = await tree.head(episodeStatsPath, headBytes);
  const whole = head.length < headBytes ? head : head.subarray(0, head.lastIndexOf(newline) + 1);
  const { values: lines, bad_lines, ...found } = parseTolerantJsonLines(whole, episodeStatsPath);
  reportOddities(episodeStatsPath, found, notes);
  reportBadLines(episodeStatsPath, bad_lines, notes);
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
