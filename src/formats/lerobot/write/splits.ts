import type { JsonValue } from '#core';

/**
 * Renumbers the split ranges of the source for the copied episodes, which keep their order; a split without episodes
 * keeps an empty range, and unreadable ranges put all episodes into `train`.
 */
export function mapSplits(
  splits: JsonValue | undefined,
  sourceIndexes: readonly number[],
): Record<string, string> {
  const all = { train: `0:${sourceIndexes.length}` };
  if (typeof splits !== 'object' || splits === null || Array.isArray(splits)) return all;
  const out: Record<string, string> = {};
  for (const [name, range] of Object.entries(splits)) {
    const match = /^(\d+):(\d+)$/.exec(String(range));
    if (match === null) return all;
    const before = (end: number) => sourceIndexes.filter((index) => index < end).length;
    out[name] = `${before(Number(match[1]))}:${before(Number(match[2]))}`;
  }
  return Object.keys(out).length === 0 ? all : out;
}

interface SourcePosition {
  /** Position of its set. */
  readonly source: number;
  readonly source_index: number;
}

/**
 * Orders the episodes of several sets by split, then by set, and returns the merged ranges; all as `train` in set order
 * if `together` is true or an episode has no split. Splits that cannot be parsed or overlap count as none. A split is
 * one range, therefore the order.
 */
export function mergeSplits<Episode extends SourcePosition>(
  splits: readonly (JsonValue | undefined)[],
  episodes: readonly Episode[],
  together = false,
): { readonly episodes: readonly Episode[]; readonly splits: Record<string, string> } {
  const all = { episodes, splits: { train: `0:${episodes.length}` } };
  const read = splits.map(parseRanges);
  if (together || read.includes(null)) return all;
  const names = [...new Set(read.flatMap((ranges) => (ranges ?? []).map(({ name }) => name)))];
  const nameOf = ({ source, source_index: index }: Episode) =>
    read[source]?.find(({ from, until }) => index >= from && index < until)?.name;
  const bySplit = Map.groupBy(episodes, nameOf);
  // An episode without a split would end up inside one.
  if (bySplit.has(undefined)) return all;
  const ranges: Record<string, string> = {};
  const ordered: Episode[] = [];
  for (const name of names) {
    const own = bySplit.get(name) ?? [];
    ranges[name] = `${ordered.length}:${ordered.length + own.length}`;
    ordered.push(...own);
  }
  return { episodes: ordered, splits: ranges };
}

/** Parses splits as sorted ranges; null if they are malformed or overlap. */
function parseRanges(splits: JsonValue | undefined) {
  if (typeof splits !== 'object' || splits === null || Array.isArray(splits)) return null;
  const ranges = Object.entries(splits).map(([name, text]) => {
    const match = /^(\d+):(\d+)$/.exec(String(text));
    return match === null ? null : { name, from: Number(match[1]), until: Number(match[2]) };
  });
  const read = ranges.filter((range) => range !== null).sort((a, b) => a.from - b.from);
  const apart = read.every(({ from }, place) => place === 0 || from >= read[place - 1].until);
  return read.length === ranges.length && read.length > 0 && apart ? read : null;
}
