import type { SourceTree } from '../../bytes/source-tree.ts';
import { readJsonList } from '../../text/json-list.ts';
import { textOf } from './records.ts';
import type { SmallTables } from './small-tables.ts';
import { TokenIndex } from './token-index.ts';

/** Tables that are only walked when the first scene is read: a look at the dataset does without. */
export interface LargeTables {
  /** null: there is no ego_pose.json. */
  readonly poses: TokenIndex | null;
  /** Boxes of each sample; null: there is no sample_annotation.json. */
  readonly boxes: Uint32Array | null;
}

export async function readLargeTables(
  tree: SourceTree,
  version: string,
  { samples, sampleNumbers }: SmallTables,
): Promise<LargeTables> {
  return {
    poses: await indexPoses(tree, `${version}/ego_pose.json`),
    boxes: await countBoxes(tree, `${version}/sample_annotation.json`, sampleNumbers, samples.length),
  };
}

async function indexPoses(tree: SourceTree, path: string): Promise<TokenIndex | null> {
  if (!tree.has(path)) return null;
  const index = new TokenIndex();
  await readJsonList(tree, path, (record, place) => index.add(textOf(record, 'token'), place));
  return index;
}

async function countBoxes(
  tree: SourceTree,
  path: string,
  sampleNumbers: ReadonlyMap<string, number>,
  samples: number,
): Promise<Uint32Array | null> {
  if (!tree.has(path)) return null;
  const boxes = new Uint32Array(samples);
  let some = false;
  await readJsonList(tree, path, (record) => {
    const sample = sampleNumbers.get(textOf(record, 'sample_token'));
    if (sample === undefined) return;
    boxes[sample]++;
    some = true;
  });
  // The test split has the table, empty: its labels are kept back.
  return some ? boxes : null;
}
