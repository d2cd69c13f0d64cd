import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, asUnreadable } from '#kernel';
import type { FixOptions, FixPlan } from './fix.ts';
import { exists } from './journal/files.ts';
import { planLeRobot } from './lerobot/plan-lerobot.ts';

/** What fixes would change in the recordings at a path. Throws `not_recognised` where none knows them. */
export async function planFixes(path: string, options: FixOptions): Promise<FixPlan> {
  const root = await datasetRoot(path);
  if (await exists(join(root, 'meta/info.json'))) return planLeRobot(root, options);
  throw new AssayError('not_recognised', `${path} is nothing that assay fix can mend`, {
    path,
    advice: 'name a LeRobot set: the folder in which meta/info.json lies',
  });
}

/** The folder that holds the journal: the dataset itself. */
export async function datasetRoot(path: string): Promise<string> {
  try {
    const root = await realpath(path);
    if ((await stat(root)).isDirectory()) return root;
  } catch (thrown) {
    throw asUnreadable(thrown, path);
  }
  throw new AssayError('usage', `${path} is no folder`, { path, advice: 'name the folder of the dataset' });
}
