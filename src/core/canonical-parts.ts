import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/**
 * Yields `canonicalJson(value)` in pieces: one per member, and one per element of members that are lists. Only one piece
 * is in memory at a time.
 */
export function* canonicalParts(value: object): Generator<string> {
  let opening = '{';
  for (const [name, member] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (member === undefined) continue;
    const head = `${opening}${canonicalJson(name)}:`;
    opening = ',';
    if (!Array.isArray(member)) {
      yield `${head}${canonicalJson(member)}`;
      continue;
    }
    yield `${head}[`;
    for (let i = 0; i < member.length; i++) yield `${i === 0 ? '' : ','}${canonicalJson(member[i])}`;
    yield ']';
  }
  yield opening === '{' ? '{}' : '}';
}

/** Returns the SHA-256 (lower-case hexadecimal) of the concatenated parts as UTF-8. A part must not end within a surrogate pair. */
export function sha256OfParts(parts: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part, 'utf8');
  return hash.digest('hex');
}
