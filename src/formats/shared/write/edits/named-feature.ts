import { AssayError } from '#core';
import type { EditedFeature } from './export-edit.ts';

/** The feature of this name. Throws `usage` with the names that there are. */
export function namedFeature(features: readonly EditedFeature[], key: string, option: string): EditedFeature {
  const feature = features.find((one) => one.key === key);
  if (feature !== undefined && !counting.has(key)) return feature;
  const names = features.map((one) => one.key).filter((name) => !counting.has(name));
  throw new AssayError('usage', `${option}: the set has no feature ${key}`, {
    advice: `it has ${names.join(', ')}`,
  });
}

/** Columns that every set has, and that no edit takes away. */
const counting = new Set(['timestamp', 'frame_index', 'episode_index', 'index', 'task_index']);

/** `NAME=VALUE`. Throws `usage`. */
export function pairOf(text: string, option: string, takes: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
  throw new AssayError('usage', `${option} takes ${takes}, not ${text}`, {});
}

/** Throws `usage` where one feature is named twice. */
export function once(names: readonly string[], option: string): void {
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) throw new AssayError('usage', `${option} names ${twice} twice`, {});
}
