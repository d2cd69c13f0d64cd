import { holdsBase64, mediaInText } from './media-in-text.ts';

const withheld = '[media withheld]';

/** A text without what may not reach a chat provider: a placeholder stands for each word, or for all, that holds it. */
export function withholdMedia(text: string): string {
  if (mediaInText(text) === null) return text;
  const kept = text
    .split(/(\s+)/)
    .map((word) => (mediaInText(word) === null ? word : withheld))
    .join('');
  return mediaInText(kept) === null ? kept : withheld;
}

/** The same of every text within plain JSON; keys that hold media go with their values. */
export function withholdWithin<Value>(value: Value): Value {
  return within(value) as Value;
}

function within(value: unknown): unknown {
  if (typeof value === 'string') return withholdMedia(value);
  if (Array.isArray(value)) return withinList(value.map(within));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => mediaInText(key) === null)
      .map(([key, member]) => [key, within(member)]),
  );
}

/** Base64 that is cut into items is in none of them alone. */
const withinList = (items: readonly unknown[]): unknown =>
  holdsBase64(items.filter((item) => typeof item === 'string').join('\n')) ? withheld : items;
