import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AssayError } from '#core';
import type { FixOptions, FixPlan } from '../../shared/fix/fix.ts';
import { readDraft } from './draft/draft.ts';
import { mends } from './mend/registry.ts';
import { plannedFiles } from './write/planned-files.ts';

/** What there is to mend in a LeRobot set; writes nothing into it. */
export async function planLeRobot(root: string, options: FixOptions): Promise<FixPlan> {
  const scratch = await mkdtemp(join(tmpdir(), 'assay-fix-'));
  const close = () => rm(scratch, { recursive: true, force: true });
  try {
    const draft = await readDraft(root, options, scratch);
    for (const mend of mends) {
      options.signal?.throwIfAborted();
      await mend.run(draft);
    }
    const { changes, unfixed } = draft;
    return { format: 'lerobot', root, changes, unfixed, files: plannedFiles(draft), close };
  } catch (thrown) {
    await close();
    if (options.signal?.aborted !== true || thrown instanceof AssayError) throw thrown;
    throw new AssayError('cancelled', 'looking for what to fix was stopped; nothing was changed');
  }
}
