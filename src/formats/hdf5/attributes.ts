import type { Hdf5Group } from '@assay/hdf5';
import { AssayError } from '#core';
import type { TaskText } from '#core/episode';
import { nullIfUnreadable } from '../shared/hdf5-file.ts';

/**
 * Reads task texts, without duplicates, from the first attribute or text array with one of these names; `null` if there
 * is none. An array that cannot be read is passed to `unread` and skipped.
 */
export async function readTaskTexts(
  group: Hdf5Group,
  names: readonly string[],
  unread: (name: string, error: AssayError) => void,
): Promise<readonly TaskText[] | null> {
  for (const name of names) {
    const attribute = await nullIfUnreadable(group.attributes.text(name));
    if (attribute !== null) return toTaskTexts([attribute], `attribute ${name} of ${group.path}`);
    const dataset = await nullIfUnreadable(group.dataset(name));
    if (dataset?.type.kind !== 'text' || dataset.rows > 1000) continue;
    try {
      return toTaskTexts(await dataset.readTexts(), dataset.path);
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      unread(name, thrown);
    }
  }
  return null;
}

function toTaskTexts(found: readonly string[], source: string): TaskText[] {
  return [...new Set(found.map((text) => text.trim()))].flatMap((text) =>
    text === '' ? [] : [{ text, source }],
  );
}

/** Reads an attribute that holds a JSON object; `null` if it is absent or no JSON object. */
export async function jsonAttribute(group: Hdf5Group, name: string): Promise<Record<string, unknown> | null> {
  const text = await nullIfUnreadable(group.attributes.text(name));
  if (text === null) return null;
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Returns the value if it is a plain object (no array), else `null`. */
export function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
