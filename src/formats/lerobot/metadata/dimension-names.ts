import type { JsonValue } from '#core';

/**
 * Names of a feature's dimensions, whatever the recording wrote: a list, a list in a list, `{motors: [...]}`,
 * `{axes: [...]}`, `{x: 0, y: 1}`, or nothing. Null when they do not give one name a dimension.
 */
export function dimensionNames(names: JsonValue | undefined, dims: number): readonly string[] | null {
  const found = namesIn(names);
  return found !== null && found.length === dims ? found : null;
}

/** Every name that was written, in order; null where there are none. */
export function namesIn(names: JsonValue | undefined): string[] | null {
  if (names === null || names === undefined) return null;
  if (typeof names === 'string') return [names];
  if (typeof names === 'number' || typeof names === 'boolean') return null;
  if (isList(names)) {
    const parts: string[] = [];
    for (const entry of names) {
      const inner = typeof entry === 'number' ? [String(entry)] : namesIn(entry);
      if (inner === null) return null;
      parts.push(...inner);
    }
    return parts;
  }
  const entries = Object.entries(names);
  if (entries.every(([, position]) => typeof position === 'number')) {
    return entries.sort(([, a], [, b]) => Number(a) - Number(b)).map(([name]) => name);
  }
  return namesIn(entries.map(([, inner]) => inner));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
