import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { AssayError, asUnreadable } from '#kernel';
import { planCoco } from './coco/plan-coco.ts';
import type { FileRepair, FixOptions, FixPlan } from './fix.ts';
import { exists } from './journal/files.ts';
import { planLeRobot } from './lerobot/plan-lerobot.ts';
import { planMcap } from './mcap/plan-mcap.ts';
import { planRosbag } from './rosbag/plan-rosbag.ts';
import { isDatabase, isMcap, planBags } from './rosbag2/plan-bags.ts';
import { planDatabase } from './rosbag2/plan-database.ts';

/** Where fixes work: the folder that gets the journal, and the one file of it that is meant, where it is one. */
export interface FixPlace {
  readonly root: string;
  readonly only: string | null;
}

/** What fixes would change in the recordings at a place. Throws `not_recognised` where none knows them. */
export async function planFixes({ root, only }: FixPlace, options: FixOptions): Promise<FixPlan> {
  if (only === null && (await exists(join(root, 'meta/info.json')))) return planLeRobot(root, options);
  const paths = only === null ? await recordingsIn(root) : [only];
  const repairs: FileRepair[] = [];
  for (const path of paths) {
    if (only === null && isDatabase(path)) continue;
    const repair = await planFile(root, path).catch((thrown) => {
      throw asUnreadable(thrown, path, 'ask for permission to read it (chmod a+r), or copy it');
    });
    if (repair !== null) repairs.push(repair);
  }
  if (only === null) repairs.push(...(await planBags(root, paths)));
  if (repairs.length > 0)
    return {
      format: formatOf(paths),
      root,
      changes: repairs.flatMap(({ changes }) => changes),
      unfixed: repairs.flatMap(({ unfixed }) => unfixed),
      files: repairs.flatMap(({ files }) => files),
      close: async () => undefined,
    };
  throw new AssayError('not_recognised', `${root} is nothing that assay fix can mend`, {
    path: root,
    advice:
      'name a LeRobot set (the folder in which meta/info.json lies), or MCAP files, ROS bags or COCO files, or a folder of them',
  });
}

async function planFile(root: string, path: string): Promise<FileRepair | null> {
  if (isMcap(path)) return planMcap(root, path);
  if (isBag(path)) return planRosbag(root, path);
  if (isDatabase(path)) return (await planDatabase(root, path))?.repair ?? null;
  const { size } = await stat(join(root, path));
  return size > largestJson ? null : planCoco(root, path).catch(() => null);
}

function formatOf(paths: readonly string[]): string {
  const kinds = paths.map((path) =>
    isMcap(path) ? 'mcap' : isBag(path) ? 'rosbag' : isDatabase(path) ? 'rosbag2' : 'coco',
  );
  return [...new Set(kinds)].join(', ');
}

const largestJson = 256 * 1024 * 1024;

const isBag = (path: string): boolean => /\.bag(\.active)?$/i.test(path);
const recordings = /\.(mcap|bag|bag\.active|db3|json)$/i;

async function recordingsIn(root: string): Promise<string[]> {
  const found = await readdir(root, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() && recordings.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.')))
    .sort();
}

/** The folder that holds the journal: the dataset itself, or the folder of a single file. */
export async function fixPlace(path: string): Promise<FixPlace> {
  try {
    const found = await realpath(path);
    if ((await stat(found)).isDirectory()) return { root: found, only: null };
    if (recordings.test(found)) return { root: dirname(found), only: basename(found) };
  } catch (thrown) {
    throw asUnreadable(thrown, path);
  }
  throw new AssayError('usage', `${path} is no folder, and no MCAP file, ROS bag or COCO file`, {
    path,
    advice: 'name the folder of the dataset',
  });
}
