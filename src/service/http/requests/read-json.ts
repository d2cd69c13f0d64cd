import { AssayError, messageOf } from '#core';

/** Deeper than anything in the contract; a parser that recurses must not meet more. */
const deepest = 64;
/** A byte order mark stays, for the JSON parser to refuse. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a JSON body; an empty one is undefined. Throws `bad_request` for what is not UTF-8 or not JSON, is nested too
 * deeply, or names the member `__proto__`.
 */
export function readJson(bytes: Uint8Array): unknown {
  const text = textOf(bytes);
  if (text.trim() === '') return undefined;
  if (nesting(text) > deepest)
    throw new AssayError('bad_request', `the body is nested more than ${deepest} levels deep`);
  try {
    return JSON.parse(text, suspicious.test(text) ? refuseProto : undefined);
  } catch (thrown) {
    if (thrown instanceof AssayError) throw thrown;
    throw new AssayError('bad_request', `the body is not JSON: ${messageOf(thrown)}`, { cause: thrown });
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (thrown) {
    throw new AssayError('bad_request', 'the body is not UTF-8', {
      advice: 'send JSON encoded as UTF-8',
      cause: thrown,
    });
  }
}

const suspicious = /__proto__|\\u005f/i;

function refuseProto(key: string, member: unknown): unknown {
  if (key === '__proto__') throw new AssayError('bad_request', 'the body has a member __proto__');
  return member;
}

function nesting(text: string): number {
  let depth = 0;
  let most = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{' || character === '[') most = Math.max(most, ++depth);
    else if (character === '}' || character === ']') depth--;
  }
  return most;
}
