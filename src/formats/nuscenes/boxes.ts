import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { readJsonList } from '../shared/text/json-list.ts';
import { nuScenesBreach } from './rules.ts';
import type { SmallTables } from './small-tables.ts';
import { tableFindings, textOf } from './small-tables.ts';

/** Boxes of a version. */
export interface Boxes {
  /** Of each sample; null: there are none at all. */
  readonly counts: Uint32Array | null;
  readonly findings: readonly Finding[];
  /** Boxes of a scene that name no instance, or one of no category; those that name no sample are of every scene. */
  broken(scene: number): Finding[];
}

export async function readBoxes(
  tree: SourceTree,
  version: string,
  { samples, sampleNumbers, scenes }: SmallTables,
): Promise<Boxes> {
  const path = `${version}/sample_annotation.json`;
  if (!tree.has(path)) return { counts: null, findings: [], broken: () => [] };
  const isWhole = await instancesOf(tree, version);
  const counts = new Uint32Array(samples.length);
  const broken = new Uint32Array(scenes.length);
  let some = false;
  let lost = 0;
  const list = await readJsonList(tree, path, (record) => {
    const sample = sampleNumbers.get(textOf(record, 'sample_token'));
    if (sample === undefined) {
      lost++;
      return;
    }
    counts[sample]++;
    some = true;
    const { scene } = samples[sample];
    if (scene >= 0 && !isWhole(textOf(record, 'instance_token'))) broken[scene]++;
  });
  return {
    // The test split has the table, empty: its labels are kept back.
    counts: some ? counts : null,
    findings: tableFindings(path, list),
    broken: (scene) => {
      const boxes = broken[scene] + lost;
      if (boxes === 0) return [];
      const message = `${boxes} boxes of ${path} name a sample, instance or category that no table holds`;
      return [nuScenesBreach('nuscenes_box_reference_broken', path, message, { boxes, sampleless: lost })];
    },
  };
}

/** Whether a box may name the instance; missing tables are reported elsewhere. */
async function instancesOf(tree: SourceTree, version: string): Promise<(token: string) => boolean> {
  const [path, categories] = [`${version}/instance.json`, `${version}/category.json`];
  if (!tree.has(path)) return () => true;
  const known = new Set<string>();
  const hasCategories = tree.has(categories);
  if (hasCategories) await readJsonList(tree, categories, (record) => known.add(textOf(record, 'token')));
  const whole = new Set<string>();
  await readJsonList(tree, path, (record) => {
    if (!hasCategories || known.has(textOf(record, 'category_token'))) whole.add(textOf(record, 'token'));
  });
  return (token) => whole.has(token);
}
