import { AssayError, messageOf } from '#core';
import type { MediaKind } from '#core/api';
import { holdsBase85 } from './base85.ts';
import { holdsByteList, isByte, isByteSequence } from './byte-list.ts';
import { holdsSplitBase64, mediaInText, splitTokens } from './media-in-text.ts';

const maxDepth = 64;

/**
 * Throws `media_refused` if a value contains media, or is nested too deeply. Media are bytes, a `data:` URI, a long run of
 * base64 or base85, or the path of a media file: in values, keys, JSON within texts, or split over items. The error names the
 * location and kind, never the value.
 */
export function assertNoMedia(value: unknown): void {
  const texts: string[] = [];
  const keys: string[] = [];
  visit(value, { place: '', depth: 0, texts, keys, above: new Set() });
  for (const met of [texts, keys])
    if (holdsSplitBase64(met.flatMap(splitTokens))) throw mediaRefused('base64', '');
  if (holdsBase85(texts.join(''))) throw mediaRefused('base85', '');
  if (holdsByteList(texts.join(' '))) throw mediaRefused('bytes', '');
}

/** Returns the message with which `assertNoMedia` refuses a value; null if it does not. */
export function refusalOf(value: unknown): string | null {
  try {
    assertNoMedia(value);
    return null;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

interface Visit {
  readonly place: string;
  readonly depth: number;
  /** All texts so far in order, without keys. */
  readonly texts: string[];
  /** All keys so far. */
  readonly keys: string[];
  /** Enclosing objects, to detect cycles. */
  readonly above: ReadonlySet<object>;
}

function visit(value: unknown, at: Visit): void {
  if (typeof value === 'string') visitText(value, at);
  if (typeof value !== 'object' || value === null) return;
  if (isBytes(value)) throw mediaRefused('bytes', at.place);
  if (at.depth > maxDepth || at.above.has(value))
    throw new AssayError('media_refused', `${at.place || 'the value'} is nested too deeply to be checked`);
  const inside = { ...at, depth: at.depth + 1, above: new Set([...at.above, value]) };
  for (const [key, member] of membersOf(value)) {
    if (typeof key === 'string') visitText(key, { ...inside, texts: at.keys });
    else visit(key, inside);
    visit(member, { ...inside, place: `${at.place}/${toPathSegment(key)}` });
  }
}

function visitText(text: string, at: Visit): void {
  const kind = mediaInText(text);
  if (kind !== null) throw mediaRefused(kind, at.place);
  at.texts.push(text);
  const inner = parseEmbeddedJson(text);
  if (inner !== undefined) visit(inner, { ...at, depth: at.depth + 1 });
}

/** Parses a text as JSON; undefined if it is not JSON, or only a number or literal. */
function parseEmbeddedJson(text: string): unknown {
  if (!/^\s*["[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the members of an object as JSON would have them, and those of maps and sets. */
function membersOf(value: object): readonly (readonly [unknown, unknown])[] {
  if (Array.isArray(value)) return value.map((item, at) => [at, item]);
  if (value instanceof Map) return [...value];
  if (value instanceof Set) return [...value].map((item, at) => [at, item]);
  const written =
    'toJSON' in value && typeof value.toJSON === 'function' ? [['', value.toJSON()] as const] : [];
  return [...Object.entries(value), ...written];
}

const toPathSegment = (key: unknown): string =>
  typeof key === 'number' ? String(key) : maskKey(String(key));
const maskKey = (key: string): string => (/^[\w-]{1,40}$/.test(key) ? key : '*');

const mediaNames = {
  bytes: 'bytes',
  data_uri: 'a data: URI',
  base64: 'a long run of base64',
  base85: 'a long run of base85',
  media_path: 'a media file path',
} as const satisfies Record<MediaKind, string>;

const mediaRefused = (kind: MediaKind, place: string): AssayError =>
  new AssayError(
    'media_refused',
    `${place || 'the value'} contains ${mediaNames[kind]}, which must not be sent to a chat provider`,
    {
      advice: 'request numbers, ids or text instead',
      details: { kind, place },
    },
  );

/** Returns whether a value is binary data: a buffer, a serialized buffer, or numbers that can only be bytes. */
function isBytes(value: object): boolean {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return true;
  if (typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer) return true;
  if (typeof Blob !== 'undefined' && value instanceof Blob) return true;
  if (Array.isArray(value)) return isByteSequence(flatten(value));
  return isWrittenBuffer(value) || isIndexedBytes(value);
}

/** Returns whether an object has the form `{type: 'Buffer', data: …}`, with any other members. */
function isWrittenBuffer(value: object): boolean {
  const { type, data } = value as { type?: unknown; data?: unknown };
  return type === 'Buffer' && (typeof data === 'string' || Array.isArray(data));
}

/** Returns the members of nested lists, such as the rows of a picture. */
function flatten(values: readonly unknown[], depth = maxDepth): readonly unknown[] {
  if (depth === 0 || !values.every(Array.isArray)) return values;
  const members = values.flat();
  return members.length < values.length ? values : flatten(members, depth - 1);
}

/** Returns whether an object is a typed array serialized as JSON: bytes by index. */
function isIndexedBytes(value: object): boolean {
  const keys = Object.keys(value);
  if (keys.length < 16) return false;
  return keys.every((key, at) => key === String(at)) && Object.values(value).every(isByte);
}
