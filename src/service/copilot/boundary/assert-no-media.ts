import { AssayError } from '#core';
import { holdsSplitBase64, type MediaKind, mediaInText, tokensOf } from './media-in-text.ts';

const deepest = 64;

/**
 * Throws `media_refused` where a value holds bytes, a `data:` URI, a long run of base64 or the path of a media file: in
 * values, keys, JSON within texts, or split over items. What it throws tells the place and the kind, never the value.
 */
export function assertNoMedia(value: unknown): void {
  const texts: string[] = [];
  const keys: string[] = [];
  visit(value, { place: '', depth: 0, texts, keys, above: new Set() });
  for (const met of [texts, keys]) if (holdsSplitBase64(met.flatMap(tokensOf))) throw refusal('base64', '');
}

interface Visit {
  readonly place: string;
  readonly depth: number;
  /** Every text met, in order, but keys. */
  readonly texts: string[];
  /** Every key. */
  readonly keys: string[];
  /** Objects that this one lies in. */
  readonly above: ReadonlySet<object>;
}

function visit(value: unknown, at: Visit): void {
  if (typeof value === 'string') visitText(value, at);
  if (typeof value !== 'object' || value === null) return;
  if (isBytes(value)) throw refusal('bytes', at.place);
  if (at.depth > deepest || at.above.has(value))
    throw new AssayError(
      'media_refused',
      `${at.place || 'the value'} is nested too deeply to be looked through`,
    );
  const inside = { ...at, depth: at.depth + 1, above: new Set([...at.above, value]) };
  for (const [key, member] of membersOf(value)) {
    if (typeof key === 'string') visitText(key, { ...inside, texts: at.keys });
    else visit(key, inside);
    visit(member, { ...inside, place: `${at.place}/${placeOf(key)}` });
  }
}

function visitText(text: string, at: Visit): void {
  const kind = mediaInText(text);
  if (kind !== null) throw refusal(kind, at.place);
  at.texts.push(text);
  const inner = jsonWithin(text);
  if (inner !== undefined) visit(inner, { ...at, depth: at.depth + 1 });
}

/** What a text is as JSON; undefined where it is none, or only a number or a word. */
function jsonWithin(text: string): unknown {
  if (!/^\s*["[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Members as they would be written, and those that only an iterator shows. */
function membersOf(value: object): readonly (readonly [unknown, unknown])[] {
  if (Array.isArray(value)) return value.map((item, at) => [at, item]);
  if (value instanceof Map) return [...value];
  if (value instanceof Set) return [...value].map((item, at) => [at, item]);
  const written =
    'toJSON' in value && typeof value.toJSON === 'function' ? [['', value.toJSON()] as const] : [];
  return [...Object.entries(value), ...written];
}

const placeOf = (key: unknown): string => (typeof key === 'number' ? String(key) : mediaFree(String(key)));
const mediaFree = (key: string): string => (/^[\w-]{1,40}$/.test(key) ? key : '*');

const words = {
  bytes: 'bytes',
  data_uri: 'a data: URI',
  base64: 'a long run of base64',
  media_path: 'the path of a media file',
} as const satisfies Record<MediaKind, string>;

const refusal = (kind: MediaKind, place: string): AssayError =>
  new AssayError(
    'media_refused',
    `${place || 'the value'} holds ${words[kind]}, which no chat provider may get`,
    {
      advice: 'ask for numbers, ids and texts instead',
      details: { kind, place },
    },
  );

const mostNumbers = 256;
const isByte = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;

/** Whether a value is bytes: in a buffer, as JSON writes one, or as numbers that can only be bytes. */
function isBytes(value: object): boolean {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return true;
  if (typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer) return true;
  if (typeof Blob !== 'undefined' && value instanceof Blob) return true;
  if (Array.isArray(value)) return isRowOfBytes(value);
  return isWrittenBuffer(value) || isIndexedBytes(value);
}

/** `{type: 'Buffer', data: …}`, whatever else is in it. */
function isWrittenBuffer(value: object): boolean {
  const { type, data } = value as { type?: unknown; data?: unknown };
  return type === 'Buffer' && (typeof data === 'string' || Array.isArray(data));
}

/** Many whole numbers from 0 to 255 that are no counting. */
function isRowOfBytes(values: readonly unknown[]): boolean {
  if (values.length < mostNumbers || !values.every(isByte)) return false;
  return values.some((value, at) => at > 0 && Number(value) <= Number(values[at - 1]));
}

/** What JSON makes of a typed array: its numbers under their places. */
function isIndexedBytes(value: object): boolean {
  const keys = Object.keys(value);
  if (keys.length < 16) return false;
  return keys.every((key, at) => key === String(at)) && Object.values(value).every(isByte);
}
