import type { JsonValue } from '#core';

/**
 * Ranges of the new set by split, as `{"train": "0:12"}`. Kept episodes stay in order, so that each range of the source
 * is a range again. Where the source's ranges cannot be read, all is `train`, as LeRobot has it.
 */
export function keptSplits(splits: JsonValue | undefined, kept: readonly number[]): Record<string, string> {
  const all = { train: `0:${kept.length}` };
  if (typeof splits !== 'object' || splits === null || Array.isArray(splits)) return all;
  const out: Record<string, string> = {};
  for (const [name, range] of Object.entries(splits)) {
    const match = /^(\d+):(\d+)$/.exec(String(range));
    if (match === null) return all;
    const before = (end: number) => kept.filter((index) => index < end).length;
    out[name] = `${before(Number(match[1]))}:${before(Number(match[2]))}`;
  }
  return Object.keys(out).length === 0 ? all : out;
}

interface Placed {
  /** Place of its set, and its place in it. */
  readonly source: number;
  readonly source_index: number;
}

/**
 * Episodes of several sets in the order of the splits, since a split is one range: first those of every set's first split,
 * then of its next. Within a split sets stay one behind the other. Where the ranges of one set cannot be read, or
 * `together` is asked for, all are one split and sets follow each other.
 */
export function mergedSplits<Episode extends Placed>(
  splits: readonly (JsonValue | undefined)[],
  episodes: readonly Episode[],
  together = false,
): { readonly episodes: readonly Episode[]; readonly splits: Record<string, string> } {
  const all = { episodes, splits: { train: `0:${episodes.length}` } };
  const read = splits.map(rangesOf);
  if (together || read.includes(null)) return all;
  const names = [...new Set(read.flatMap((ranges) => (ranges ?? []).map(({ name }) => name)))];
  const nameOf = ({ source, source_index: index }: Episode) =>
    read[source]?.find(({ from, until }) => index >= from && index < until)?.name;
  const bySplit = Map.groupBy(episodes, nameOf);
  // An episode that no split has would be in one where it is put.
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

/** Null where they are no ranges, or lie over each other. */
function rangesOf(splits: JsonValue | undefined) {
  if (typeof splits !== 'object' || splits === null || Array.isArray(splits)) return null;
  const ranges = Object.entries(splits).map(([name, text]) => {
    const match = /^(\d+):(\d+)$/.exec(String(text));
    return match === null ? null : { name, from: Number(match[1]), until: Number(match[2]) };
  });
  const read = ranges.filter((range) => range !== null).sort((a, b) => a.from - b.from);
  const apart = read.every(({ from }, place) => place === 0 || from >= read[place - 1].until);
  return read.length === ranges.length && read.length > 0 && apart ? read : null;
}
