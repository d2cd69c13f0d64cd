import type { SourceTree } from '#io/sources';
import type { Recognition } from '../shared/reader.ts';
import { versionsOf } from './versions.ts';

/** A folder of tables is nuScenes' when its sample_data.json begins with records that name a pose of the car. */
export async function recogniseNuScenes(tree: SourceTree): Promise<Recognition | null> {
  const evidence: string[] = [];
  for (const version of versionsOf(tree)) {
    const path = `${version}/sample_data.json`;
    const head = new TextDecoder().decode(await tree.head(path, 4096).catch(() => new Uint8Array()));
    if (/^\ufeff?\s*\[/.test(head) && head.includes('"ego_pose_token"'))
      evidence.push(`${path} is a list of records with ego_pose_token`);
  }
  return evidence.length === 0 ? null : { format: 'nuscenes', evidence, files: null };
}
