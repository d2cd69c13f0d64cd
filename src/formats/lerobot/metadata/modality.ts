import type { JsonObject } from '#core';
import type { SourceTree } from '#io/sources';
import { type Feature, isObject, readJson } from './info.ts';
import type { Notes } from './notes.ts';

const path = 'meta/modality.json';
const nameless = /^(motor|joint|dim|axis|action|state|element|value)?s?[_ .-]?\d+$/i;

/**
 * Names of dimensions from GR00T's modality.json, which cuts state and action into named slices: they stand in where
 * info.json gives none, or only numbers.
 */
export async function withModalityNames(
  tree: SourceTree,
  features: ReadonlyMap<string, Feature>,
  notes: Notes,
): Promise<ReadonlyMap<string, Feature>> {
  if (!tree.has(path)) return features;
  const modality = await readJson(tree, path, notes, 'others').catch(() => null);
  if (modality === null || !isObject(modality)) return features;
  const named = new Map(features);
  for (const [part, key] of [
    ['state', 'observation.state'],
    ['action', 'action'],
  ]) {
    const feature = named.get(key);
    const slices = modality[part];
    if (feature === undefined || !isObject(slices)) continue;
    if (feature.names?.every((name) => nameless.test(name)) === false) continue;
    const names = namesOf(slices, feature);
    if (names !== null) named.set(key, { ...feature, names });
  }
  return named;
}

function namesOf(slices: JsonObject, feature: Feature): string[] | null {
  const dims = feature.shape.reduce((product, size) => product * size, 1);
  const names = new Array<string | undefined>(dims).fill(undefined);
  for (const [name, slice] of Object.entries(slices)) {
    if (!isObject(slice) || typeof slice.start !== 'number' || typeof slice.end !== 'number') continue;
    if (slice.start < 0 || slice.end > dims) return null;
    for (let dim = slice.start; dim < slice.end; dim++) {
      names[dim] = slice.end - slice.start === 1 ? name : `${name}_${dim - slice.start}`;
    }
  }
  return names.every((name) => name !== undefined) ? names : null;
}
