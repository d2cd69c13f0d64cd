import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/**
 * The canonical text (RFC 8785) of a plain object in pieces: a member each, and an element each of members that are
 * lists. Put together they are `canonicalJson(value)`; of a large document no more than a piece is held at once.
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

/** Lower-case hexadecimal SHA-256 of texts put together (as UTF-8); a part may not end within a surrogate pair. */
export function sha256OfParts(parts: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part, 'utf8');
  return hash.digest('hex');
}
