import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError, type JsonObject, messageOf, parseTolerantJson } from '#core';

/** A LeRobot set that is copied from. */
export interface CopySource {
  /** What people call it. */
  readonly name: string;
  /** Its folder, absolute. */
  readonly root: string;
  /** The name that a feature gets, by its own name; the others keep theirs. */
  readonly names: Readonly<Record<string, string>>;
}

/** What a set says of itself, its features under the names that they get. */
export interface SetInfo {
  readonly name: string;
  readonly root: string;
  /** meta/info.json. */
  readonly info: JsonObject;
  readonly rate_hz: number;
  /** What info.json declares, by feature. */
  readonly features: Readonly<Record<string, JsonObject>>;
}

/**
 * Throws `unreadable_input` where meta/info.json cannot be read or lacks what a copy needs; `usage` where a name is
 * given to a feature that the set lacks, or to two.
 */
export function readSetInfo({ name, root, names }: CopySource): SetInfo {
  const path = join(root, 'meta/info.json');
  const read = parsed(path);
  const { fps, features } = read;
  if (typeof fps !== 'number' || !(fps > 0) || typeof features !== 'object' || features === null)
    throw new AssayError('unreadable_input', `${path} has no fps or no features`, { path, advice });
  const own = underNewNames(features as Record<string, JsonObject>, names, name);
  return { name, root, info: { ...read, features: own }, rate_hz: fps, features: own };
}

const advice = 'assay assess says what else is wrong with the set';

/** Throws where LeRobot itself refuses the file. */
function parsed(path: string): JsonObject {
  const bytes = readBytes(path);
  const { value, refused } = parseTolerantJson(bytes, path);
  if (refused.length > 0)
    throw new AssayError('unreadable_input', `${path} holds ${refused.join(', ')}`, {
      path,
      advice: 'mend the set with assay fix first',
    });
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AssayError('unreadable_input', `${path} holds no JSON object`, { path, advice });
  return value as JsonObject;
}

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (thrown) {
    throw new AssayError('unreadable_input', `${path}: ${messageOf(thrown)}`, { path, advice });
  }
}

function underNewNames(
  features: Readonly<Record<string, JsonObject>>,
  names: Readonly<Record<string, string>>,
  set: string,
): Record<string, JsonObject> {
  for (const key of Object.keys(names))
    if (!Object.hasOwn(features, key))
      throw new AssayError('usage', `--map: ${set} has no feature ${key}`, {
        advice: `it has ${Object.keys(features).join(', ')}`,
      });
  const renamed: Record<string, JsonObject> = {};
  for (const [key, feature] of Object.entries(features)) {
    const to = names[key] ?? key;
    if (Object.hasOwn(renamed, to))
      throw new AssayError('usage', `--map: two features of ${set} would be called ${to}`, {
        advice: `give the other one a name too, or leave it out: --map ${set}:${to}=OTHER`,
      });
    renamed[to] = feature;
  }
  return renamed;
}
