import { type JsonObject, messageOf, parseTolerantJsonLines } from '#core';
import type { SourceTree } from '#io/sources';
import type { FindingCollector } from '../../metadata/finding-collector.ts';
import {
  createJsonRefusedFinding,
  type Feature,
  isObject,
  type LeRobotInfo,
  readJson,
  reportOddities,
} from '../../metadata/info.ts';
import { reportBadLines } from '../../metadata/tasks.ts';
import { createLeRobotViolation } from '../../rules/contract.ts';
import { checkSetStats } from './stats-findings.ts';

const setStatsPath = 'meta/stats.json';
/** Path of the v2.1 table of episode statistics. */
export const episodeStatsPath = 'meta/episodes_stats.jsonl';
const headBytes = 4 * 1024 * 1024;
const newline = 0x0a;

/**
 * Returns true if the library normalises with pooled episode statistics instead of meta/stats.json, as it does for
 * v2.1.
 */
export function usesEpisodeStats(layout: 'v2' | 'v3', version: string | null): boolean {
  return layout === 'v2' && !/^v?(1\.|2\.0)/.test(version ?? '');
}

/** Statistics of a set. */
export interface ReadStats {
  readonly stats: JsonObject | null;
  /** File of the statistics. */
  readonly statsPath: string | null;
}

/**
 * Reads the set's statistics by feature, null if there are none, and adds findings on their faults; for v2.1 without
 * meta/stats.json, only the value ranges of the first episodes.
 */
export async function readStats(
  tree: SourceTree,
  { version }: LeRobotInfo,
  features: ReadonlyMap<string, Feature>,
  layout: 'v2' | 'v3',
  notes: FindingCollector,
): Promise<ReadStats> {
  const pools = usesEpisodeStats(layout, version);
  const whole = tree.has(setStatsPath) ? await readSetStats(tree, notes, pools) : null;
  const pooled = pools && tree.has(episodeStatsPath) ? await poolEpisodeRanges(tree, notes) : null;
  const used = pools ? pooled : whole;
  const path = pools ? episodeStatsPath : setStatsPath;
  if (used !== null) {
    for (const finding of checkSetStats(used, features, layout, path, pools)) notes.addFinding(finding);
  } else if (!tree.has(path)) {
    const message = `${path} is missing: ${pools ? 'LeRobot assumes that it is not downloaded yet and requests it from the Hub' : 'training cannot normalise state, action and images'}`;
    notes.addFinding(createLeRobotViolation(layout, 'stats_missing', path, message));
  } else if (pools) {
    notes.add(
      'stats_unreadable',
      'error',
      path,
      `no line of ${path} is readable`,
      'recompute the statistics',
    );
  }
  const stats = whole ?? pooled;
  return { stats, statsPath: stats === null ? null : whole === null ? episodeStatsPath : setStatsPath };
}

/**
 * Reads meta/stats.json; null if it is not an object. `pools`: the library does not read the file, so that faults are
 * reported as warnings of a reader.
 */
async function readSetStats(
  tree: SourceTree,
  notes: FindingCollector,
  pools: boolean,
): Promise<JsonObject | null> {
  const reader = pools ? 'others' : 'library';
  const value = await readJson(tree, setStatsPath, notes, reader).catch((thrown: unknown) => {
    const why = messageOf(thrown);
    if (pools) notes.add('stats_unreadable', 'error', setStatsPath, why, 'recompute the statistics');
    else notes.addFinding(createJsonRefusedFinding(setStatsPath, why));
    return null;
  });
  return value !== null && isObject(value) ? value : null;
}

/** Pools min and max of the first lines (4 MiB) of the episode statistics; null if there are none. */
async function poolEpisodeRanges(tree: SourceTree, notes: FindingCollector): Promise<JsonObject | null> {
  const head = await tree.head(episodeStatsPath, headBytes);
  const whole = head.length < headBytes ? head : head.subarray(0, head.lastIndexOf(newline) + 1);
  const { values: lines, bad_lines, ...found } = parseTolerantJsonLines(whole, episodeStatsPath);
  reportOddities(episodeStatsPath, found, notes);
  reportBadLines(episodeStatsPath, bad_lines, notes);
  const ranges = new Map<string, { min: number[]; max: number[] }>();
  for (const line of lines) {
    if (!isObject(line) || !isObject(line.stats)) continue;
    for (const [key, entry] of Object.entries(line.stats)) {
      if (isObject(entry)) widenRange(ranges, key, numberList(entry.min), numberList(entry.max));
    }
  }
  return ranges.size === 0 ? null : Object.fromEntries(ranges);
}

function numberList(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'number') : [];
}

function widenRange(
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
