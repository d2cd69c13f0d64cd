import type { SourceTree } from '#io/sources';

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

/** Without these there is no scene to read. */
const neededTables: readonly TableName[] = ['scene', 'sample', 'sample_data', 'sensor', 'calibrated_sensor'];

/** Folders of tables directly below the root: `v1.0-mini`. */
export function versionsOf(tree: SourceTree): string[] {
  return tree.files.flatMap(({ path }) => {
    const folder = /^([^/]+)\/scene\.json$/.exec(path)?.[1];
    return folder !== undefined && neededTables.every((name) => tree.has(`${folder}/${name}.json`))
      ? [folder]
      : [];
  });
}
