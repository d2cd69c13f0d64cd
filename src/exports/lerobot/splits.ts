import type { JsonValue } from '#kernel';

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
