import type { Hdf5Group } from '@assay/hdf5';
import { AssayError } from '#core';
import type { TaskText } from '#core/episode';
import { orNull } from '../../shared/hdf5-file.ts';

/**
 * What was asked of the robot, in an array or an attribute of one of these names; null where there is none. `unread`
 * is told of an array that is there and cannot be read.
 */
export async function languageOf(
  group: Hdf5Group,
  names: readonly string[],
  unread: (name: string, error: AssayError) => void,
): Promise<readonly TaskText[] | null> {
  for (const name of names) {
    const attribute = await orNull(group.attributes.text(name));
    if (attribute !== null) return texts([attribute], `attribute ${name} of ${group.path}`);
    const dataset = await orNull(group.dataset(name));
    if (dataset?.type.kind !== 'text' || dataset.rows > 1000) continue;
    try {
      return texts(await dataset.readTexts(), dataset.path);
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      unread(name, thrown);
    }
  }
  return null;
}

function texts(found: readonly string[], source: string): TaskText[] {
  return [...new Set(found.map((text) => text.trim()))].flatMap((text) =>
    text === '' ? [] : [{ text, source }],
  );
}

/** An attribute that holds a JSON object; null where it is not there or is none. */
export async function jsonAttribute(group: Hdf5Group, name: string): Promise<Record<string, unknown> | null> {
  const text = await orNull(group.attributes.text(name));
  if (text === null) return null;
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

export function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
