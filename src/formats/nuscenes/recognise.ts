import type { SourceTree } from '#io/sources';
import type { Recognition } from '../shared/reader.ts';

/**
 * Recognises nuScenes by folders of tables whose sample_data.json begins with records that have an ego_pose_token;
 * `null` if there is none.
 */
export async function recogniseNuScenes(tree: SourceTree): Promise<Recognition | null> {
  const evidence: string[] = [];
  for (const version of findVersions(tree)) {
    const path = `${version}/sample_data.json`;
    const head = new TextDecoder().decode(await tree.head(path, 4096).catch(() => new Uint8Array()));
    if (/^\ufeff?\s*\[/.test(head) && head.includes('"ego_pose_token"'))
      evidence.push(`${path} is a list of records with ego_pose_token`);
  }
  return evidence.length === 0 ? null : { format: 'nuscenes', evidence, files: null };
}

/** The thirteen tables of a version. */
export const tableNames = [
  'category',
  'attribute',
  'visibility',
  'instance',
  'sensor',
  'calibrated_sensor',
  'ego_pose',
  'log',
  'scene',
  'sample',
  'sample_data',
  'sample_annotation',
  'map',
] as const;
type TableName = (typeof tableNames)[number];

/** Tables that are required to read a scene. */
const requiredTables: readonly TableName[] = [
  'scene',
  'sample',
  'sample_data',
  'sensor',
  'calibrated_sensor',
];

/** Returns the folders directly below the root that hold the required tables: `v1.0-mini`. */
export function findVersions(tree: SourceTree): string[] {
  return tree.files.flatMap(({ path }) => {
    const folder = /^([^/]+)\/scene\.json$/.exec(path)?.[1];
    return folder !== undefined && requiredTables.every((name) => tree.has(`${folder}/${name}.json`))
      ? [folder]
      : [];
  });
}
