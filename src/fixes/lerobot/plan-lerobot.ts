import type { FixOptions, FixPlan } from '../fix.ts';
import { readDraft } from './draft/draft.ts';
import { mends } from './mend/registry.ts';
import { plannedFiles } from './write/planned-files.ts';

/** What there is to mend in a LeRobot set; writes nothing. */
export async function planLeRobot(root: string, options: FixOptions): Promise<FixPlan> {
  const draft = await readDraft(root, options);
  for (const mend of mends) await mend.run(draft);
  return {
    format: 'lerobot',
    root,
    changes: draft.changes,
    unfixed: draft.unfixed,
    files: plannedFiles(draft),
  };
}
