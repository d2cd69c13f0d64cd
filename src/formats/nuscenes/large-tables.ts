import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { readJsonList } from '../shared/text/json-list.ts';
import { type Boxes, readBoxes } from './boxes.ts';
import { textOf } from './records.ts';
import type { SmallTables } from './small-tables.ts';
import { tableFindings } from './table-findings.ts';
import { TokenIndex } from './token-index.ts';

/** Tables that are only walked when the first scene is read: a look at the dataset does without. */
export interface LargeTables {
  /** null: there is no ego_pose.json. */
  readonly poses: TokenIndex | null;
  readonly boxes: Boxes;
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
  const boxes = await readBoxes(tree, version, tables);
  return { poses, boxes, findings: [...findings, ...boxes.findings] };
}

async function indexPoses(tree: SourceTree, path: string, findings: Finding[]): Promise<TokenIndex | null> {
  if (!tree.has(path)) return null;
  const index = new TokenIndex();
  const list = await readJsonList(tree, path, (record, place) => index.add(textOf(record, 'token'), place));
  findings.push(...tableFindings(path, list));
  return index;
}
