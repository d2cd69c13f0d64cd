import type { MediaKind } from '#core/api';
import { refusalOf } from './assert-no-media.ts';
import { maskByteLists } from './byte-list.ts';
import { mediaInText } from './media-in-text.ts';

const withheld = '[media withheld]';

const isMedia = (text: string): boolean => mediaInText(text) !== null;

/**
 * Returns a text with its media replaced by a placeholder: each list of bytes and each word that contains media, or the whole
 * text if that is not enough.
 */
export function withholdMedia(text: string): string {
  return isMedia(text) ? maskWords(maskByteLists(text, withheld), isMedia, withheld) : text;
}

/** Returns the kinds of media in texts and their words, each once, sorted. */
export function mediaKindsIn(texts: readonly string[]): MediaKind[] {
  const pieces = texts.filter(isMedia).flatMap((text) => [text, ...text.split(/\s+/)]);
  return [...new Set(pieces.map(mediaInText))].filter((kind) => kind !== null).sort();
}

/**
 * Returns a text with each word for which `holds` is true replaced by a placeholder, without the punctuation around it; the
 * placeholder alone if that is not enough.
 */
export function maskWords(text: string, holds: (text: string) => boolean, placeholder: string): string {
  if (!holds(text)) return text;
  const masked = text
    .split(/(\s+)/)
    .map((word) => (holds(word) ? maskWord(word, holds, placeholder) : word))
    .join('');
  return holds(masked) ? placeholder : masked;
}

const opening = /[\p{Ps}\p{Pi}"'`*]/u;
const closing = /[\p{Pe}\p{Pf}"'`*.,;:!?…。，、！？]/u;

function maskWord(word: string, holds: (text: string) => boolean, placeholder: string): string {
  let [from, to] = [0, word.length];
  while (from < to && opening.test(word[from])) from++;
  while (from < to && closing.test(word[to - 1])) to--;
  const [before, inner, after] = [word.slice(0, from), word.slice(from, to), word.slice(to)];
  return holds(inner) ? `${before}${placeholder}${after}` : placeholder;
}

/** Returns plain JSON with media replaced in every text and list; members whose keys contain media are removed. */
export function withholdMediaWithin<Value>(value: Value): Value {
  return withholdInValue(value) as Value;
}

function withholdInValue(value: unknown): unknown {
  if (typeof value === 'string') return withholdMedia(value);
  if (Array.isArray(value)) return withholdInList(value.map(withholdInValue));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => mediaInText(key) === null)
      .map(([key, member]) => [key, withholdInValue(member)]),
  );
}

/** Replaces a list whose items are media only together, such as lines of base64. */
const withholdInList = (items: readonly unknown[]): unknown => (refusalOf(items) === null ? items : withheld);
