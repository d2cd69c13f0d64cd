import type { Finding } from '#episode';
import type { SourceTree } from '../../bytes/source-tree.ts';
import { readJsonList } from '../../text/json-list.ts';
import { textOf } from './records.ts';
import { type SmallTables, tableFindings } from './small-tables.ts';
import { TokenIndex } from './token-index.ts';

/** Tables that are only walked when the first scene is read: a look at the dataset does without. */
export interface LargeTables {
  /** null: there is no ego_pose.json. */
  readonly poses: TokenIndex | null;
  /** Boxes of each sample; null: there is no sample_annotation.json. */
  readonly boxes: Uint32Array | null;
  /** What is wrong with their form: which scenes lack what was lost cannot be told, so it concerns each. */
  readonly findings: readonly Finding[];
}

export async function readLargeTables(
  tree: SourceTree,
  version: string,
  tables: SmallTables,
): Promise<LargeTables> {
  const findings: Finding[] = [];
  const poses = await indexPoses(tree, `${version}/ego_pose.json`, findings);
  const boxes = await countBoxes(tree, `${version}/sample_annotation.json`, tables, findings);
  return { poses, boxes, findings };
}

async function indexPoses(tree: SourceTree, path: string, findings: Finding[]): Promise<TokenIndex | null> {
  if (!tree.has(path)) return null;
  const index = new TokenIndex();
  const list = await readJsonList(tree, path, (record, place) => index.add(textOf(record, 'token'), place));
  findings.push(...tableFindings(path, list));
  return index;
}

async function countBoxes(
  tree: SourceTree,
  path: string,
  { samples, sampleNumbers }: SmallTables,
  findings: Finding[],
): Promise<Uint32Array | null> {
  if (!tree.has(path)) return null;
  const boxes = new Uint32Array(samples.length);
  let some = false;
  const list = await readJsonList(tree, path, (record) => {
    const sample = sampleNumbers.get(textOf(record, 'sample_token'));
    if (sample === undefined) return;
    boxes[sample]++;
    some = true;
  });
  findings.push(...tableFindings(path, list));
  // The test split has the table, empty: its labels are kept back.
  return some ? boxes : null;
}
