import type { Finding } from '#core/episode';
import type { Leaf } from './feature-tree.ts';
import type { FeatureValues } from './records/example.ts';
import { tfdsBreach } from './rules.ts';

type Example = ReadonlyMap<string, FeatureValues>;

/** Declared features of the whole episode, and flags of the steps, of which a record holds nothing. */
export function absentFeatures(leaves: readonly Leaf[], example: Example, flag: RegExp): string[] {
  return leaves
    .filter(({ per_step, id, kind, shape, optional }) => {
      if (per_step) return flag.test(id);
      return kind !== 'other' && optional !== true && !shape.includes(null);
    })
    .filter(({ key }) => !example.has(key))
    .map(({ per_step, id, key }) => (per_step ? id : key));
}

/** An Example has three kinds of lists: TFDS takes integers, floats and bytes from none but their own. */
export function typeFindings(leaves: readonly Leaf[], example: Example, path: string): Finding[] {
  const wrong = leaves.filter((leaf) => {
    const values = example.get(leaf.key);
    const wanted = listOf(leaf);
    return values !== undefined && values.count > 0 && wanted !== null && values.kind !== wanted;
  });
  if (wrong.length === 0) return [];
  const names = wrong.slice(0, 8).map(({ key }) => key);
  const said = wrong.slice(0, 3).map((leaf) => `${leaf.key} as ${example.get(leaf.key)!.kind}`);
  const message = `the record holds ${said.join(', ')}${wrong.length > 3 ? ', …' : ''}; features.json declares another type`;
  return [tfdsBreach('feature_type_wrong', path, message, { features: names })];
}

function listOf({ kind, dtype, encoding }: Leaf): FeatureValues['kind'] | null {
  if (kind === 'other') return null;
  if (kind !== 'tensor' || encoding !== 'none') return 'bytes';
  if (dtype === null) return null;
  if (/^(u?int\d+|bool)$/.test(dtype)) return 'int64';
  return /^b?float\d+$/.test(dtype) ? 'float' : null;
}
