import { AssayError, messageOf } from '#core';

/** Deepest accepted nesting; deeper than any schema of the API, and safe for the recursive parser. */
const maxDepth = 64;
/** Strict decoder; a byte order mark is kept, so that the JSON parser rejects it. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses a JSON body; an empty body is undefined. Throws `bad_request` if it is not UTF-8 or not JSON, is nested too
 * deeply, or has a member `__proto__`.
 */
export function readJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') return undefined;
  if (measureDepth(text) > maxDepth)
    throw new AssayError('bad_request', `the request body is nested more than ${maxDepth} levels deep`);
  try {
    return JSON.parse(text, protoPattern.test(text) ? rejectProto : undefined);
  } catch (thrown) {
    if (thrown instanceof AssayError) throw thrown;
    throw new AssayError('bad_request', `invalid JSON in the request body: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (thrown) {
    throw new AssayError('bad_request', 'the request body is not valid UTF-8', {
      advice: 'send JSON encoded as UTF-8',
      cause: thrown,
    });
  }
}

const protoPattern = /__proto__|\\u005f/i;

function rejectProto(key: string, member: unknown): unknown {
  if (key === '__proto__')
    throw new AssayError('bad_request', 'the request body must not contain the key __proto__');
  return member;
}

function measureDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth--;
  }
  return deepest;
}
