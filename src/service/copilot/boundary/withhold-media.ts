import { holdsBase64, mediaInText } from './media-in-text.ts';

const withheld = '[media withheld]';

/**
 * Replaces media in a text by a placeholder: each word that contains media, or the whole text if that is not enough.
 */
export function withholdMedia(text: string): string {
  if (mediaInText(text) === null) return text;
  const masked = text
    .split(/(\s+)/)
    .map((word) => (mediaInText(word) === null ? word : withheld))
    .join('');
  return mediaInText(masked) === null ? masked : withheld;
}

/** Replaces media in every text within plain JSON; members whose keys contain media are removed. */
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

/** Replaces a list whose items together hold base64. */
const withholdInList = (items: readonly unknown[]): unknown =>
  holdsBase64(items.filter((item) => typeof item === 'string').join('\n')) ? withheld : items;
