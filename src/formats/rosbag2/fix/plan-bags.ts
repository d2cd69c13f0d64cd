import { join } from 'node:path';
import { dirname } from 'node:path/posix';
import { inRecordingOrder, splitNumber } from '../../shared/bags/recording-order.ts';
import type { FileRepair } from '../../shared/fix/fix.ts';
import { exists } from '../../shared/fix/journal/files.ts';
import type { BagFile } from './bag-file.ts';
import { countMcap } from './count-mcap.ts';
import { planDatabase } from './plan-database.ts';
import { planMetadata } from './plan-metadata.ts';

/**
 * What there is to mend in ROS 2 bags: the databases among `paths`, and what metadata.yaml says of each folder. None is
 * written where a part of the bag is one of the `pointers` of Git LFS.
 */
export async function planBags(
  root: string,
  paths: readonly string[],
  pointers: readonly string[] = [],
): Promise<readonly FileRepair[]> {
  const awaited = new Set(pointers.filter(isPart).map((path) => dirname(path)));
  const repairs: FileRepair[] = [];
  const parts = paths.filter(isPart);
  for (const [folder, files] of Map.groupBy(parts, dirname)) {
    const facts: BagFile[] = [];
    for (const path of files.filter(isDatabase)) {
      const plan = await planDatabase(root, path);
      if (plan === null) continue;
      repairs.push(plan.repair);
      if (plan.facts !== null) facts.push(plan.facts);
    }
    const metadata = folder === '.' ? 'metadata.yaml' : `${folder}/metadata.yaml`;
    const described = await exists(join(root, metadata));
    if (awaited.has(folder) || (!described && !areOneBag(files))) continue;
    for (const path of files.filter(isMcap)) {
      const counted = await countMcap(root, path);
      if (counted !== null) facts.push(counted);
    }
    if (facts.length === 0 || new Set(facts.map(({ storage }) => storage)).size > 1) continue;
    repairs.push(await planMetadata(root, metadata, inOrder(facts)));
  }
  return repairs;
}

export const isDatabase = (path: string): boolean => /\.db3$/i.test(path);
export const isMcap = (path: string): boolean => /\.mcap$/i.test(path);
const isPart = (path: string): boolean => isDatabase(path) || isMcap(path);

/** Named as a recorder names the parts of one bag, or a database on its own. */
function areOneBag(files: readonly string[]): boolean {
  if (files.length === 1 && isDatabase(files[0])) return true;
  const parts = files.map((path) => splitNumber(path));
  return new Set(parts.map(({ stem }) => stem)).size === 1 && parts.every(({ number }) => number !== null);
}

function inOrder(facts: readonly BagFile[]): readonly BagFile[] {
  const byPath = new Map(facts.map((file) => [file.path, file]));
  return inRecordingOrder([...byPath.keys()].sort()).flatMap((path) => byPath.get(path) ?? []);
}
