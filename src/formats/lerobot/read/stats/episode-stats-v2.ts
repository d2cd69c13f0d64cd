import { type JsonObject, parseTolerantJsonLines } from '#core';
import type { SourceTree } from '#io/sources';
import { isObject } from '../../metadata/info.ts';
import {
  type EpisodeStats,
  nesting,
  type ReadEpisodeStats,
  type StatsEntry,
  statsEntry,
} from './stats-entry.ts';

/** Where the lines of some episodes lie in the file. */
interface LineRange {
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly last: number;
}

const rangeBytes = 1024 * 1024;
/** A longer line is no statistics of one episode. */
const longestLineBytes = 64 * rangeBytes;

/**
 * Statistics of v2.1, a line of JSON an episode. The file of 100,000 episodes is hundreds of megabytes: it is walked
 * once for where which episodes lie, in ranges of a megabyte, and a unit reads the ranges that it needs.
 */
export function lineStats(tree: SourceTree, path: string, features: readonly string[]): ReadEpisodeStats {
  let ranges: Promise<readonly LineRange[]> | null = null;
  return async (first, last) => {
    ranges ??= rangesOf(tree, path);
    const found = new Map<number, EpisodeStats>();
    for (const { from, to, ...held } of await ranges) {
      if (held.last < first || held.first > last) continue;
      for (const line of parseTolerantJsonLines(await textOf(tree, path, from, to), path).values) {
        if (!isObject(line) || typeof line.episode_index !== 'number' || !isObject(line.stats)) continue;
        if (line.episode_index >= first && line.episode_index <= last)
          found.set(line.episode_index, episodeStats(line.stats, features));
      }
    }
    return found;
  };
}

function episodeStats(stats: JsonObject, features: readonly string[]): EpisodeStats {
  const entries = features.flatMap((key): (readonly [string, StatsEntry])[] => {
    const entry = stats[key];
    return isObject(entry) ? [[key, statsEntry(entry)]] : [];
  });
  return { entries: new Map(entries), malformed: malformed(stats) };
}

/** What the library's pooling refuses. */
function malformed(stats: JsonObject): string[] {
  return Object.entries(stats).flatMap(([key, entry]) => {
    if (!isObject(entry)) return [`${key} is no object`];
    const lacking = ['min', 'max', 'mean', 'std', 'count'].filter((name) => entry[name] === undefined);
    if (lacking.length > 0) return [`${key} has no ${lacking.join(', ')}`];
    // The library goes by the name alone.
    const shape = JSON.stringify(nesting(entry.mean));
    return key.includes('image') && shape !== '[3,1,1]' ? [`${key} has the shape ${shape}, not [3,1,1]`] : [];
  });
}

async function rangesOf(tree: SourceTree, path: string): Promise<LineRange[]> {
  const size = tree.entry(path)?.bytes ?? 0;
  const ranges: LineRange[] = [];
  await using file = await tree.openFile(path);
  let from = 0;
  let length = rangeBytes;
  while (from < size) {
    const { buffer, bytesRead } = await file.read(
      new Uint8Array(Math.min(length, size - from)),
      0,
      Math.min(length, size - from),
      from,
    );
    if (bytesRead === 0) break;
    const whole = from + bytesRead >= size;
    const end = whole ? bytesRead : buffer.subarray(0, bytesRead).lastIndexOf(10) + 1;
    if (end === 0) {
      // A line longer than the range.
      if (length >= longestLineBytes)
        throw new Error(`${path} has a line of more than ${longestLineBytes} bytes`);
      length *= 2;
      continue;
    }
    length = rangeBytes;
    const text = new TextDecoder('latin1').decode(buffer.subarray(0, end));
    let [first, last] = [Infinity, -Infinity];
    for (const [, number] of text.matchAll(/"episode_index"\s*:\s*(\d+)/g)) {
      first = Math.min(first, Number(number));
      last = Math.max(last, Number(number));
    }
    if (first <= last) ranges.push({ from, to: from + end, first, last });
    from += end;
  }
  return ranges;
}

async function textOf(tree: SourceTree, path: string, from: number, to: number): Promise<string> {
  await using file = await tree.openFile(path);
  const { buffer, bytesRead } = await file.read(new Uint8Array(to - from), 0, to - from, from);
  return new TextDecoder().decode(buffer.subarray(0, bytesRead));
}
