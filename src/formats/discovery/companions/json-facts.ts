import { isListingKey, isMediaName, mediaMentions } from './listing-words.ts';

/** What a JSON text names and holds; see `TextFacts`. */
interface JsonFacts {
  readonly mentions: readonly string[];
  readonly rows: number;
  readonly has_data: boolean;
}

const maxValues = 2_000_000;

/**
 * Returns what a JSON text names and holds. A text that is cut or damaged is searched for names; it counts as data if
 * it has a list of numbers or is of a known format.
 */
export function readJsonFacts(text: string, isCut: boolean, isKnown: boolean): JsonFacts {
  const parsed = isCut ? undefined : tryParse(text);
  if (parsed === undefined) {
    const has_data = isKnown || /\[\s*-?\d+(\.\d+)?\s*,\s*-?\d/.test(text);
    return { mentions: mediaMentions(text), rows: 0, has_data };
  }
  const mentions: string[] = [];
  let data = 0;
  let rows = 0;
  let left = maxValues;
  const open: { value: unknown; isListing: boolean }[] = [{ value: parsed, isListing: false }];
  for (let item = open.pop(); item !== undefined && left-- > 0; item = open.pop()) {
    const { value, isListing } = item;
    if (typeof value === 'string' && isMediaName(value)) mentions.push(value);
    else if (Array.isArray(value)) {
      if (value.some((one) => typeof one === 'object' || typeof one === 'number'))
        rows = Math.max(rows, value.length);
      for (const one of value) open.push({ value: one, isListing });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) {
        if (isMediaName(key)) mentions.push(key);
        open.push({ value: one, isListing: isListingKey(key) });
      }
    } else if (value !== null && value !== '' && !isListing) data++;
  }
  return { mentions, rows, has_data: isKnown || data >= Math.max(1, mentions.length, rows) };
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
