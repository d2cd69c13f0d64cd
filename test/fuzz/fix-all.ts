import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '#core';
import {
  applyPlan,
  type FixOptions,
  type FixTarget,
  journalFolder,
  planFixes,
  recover,
  removeEmptyJournalFolder,
  resolveFixTarget,
  undoLast,
  withLock,
} from '#formats/fix';
import { treeHash } from '../support/tree-hash.ts';
import { faultOf, type Outcome } from './read-all.ts';

/**
 * Mends a folder as `assay fix` does: a dry run, which must change nothing, then `--apply` and `--undo`, after which every
 * byte must be as it was. Answers as findings which fixes there were and what none mends.
 */
export async function fixAll(folder: string): Promise<Outcome> {
  const outcome = { episodes: 0, findings: [] as string[], errors: [] as string[], faults: [] as string[] };
  const before = treeHash(folder);
  const demandUntouched = (when: string) => {
    if (treeHash(folder) !== before) outcome.faults.push(`the folder is not as it was after ${when}`);
  };
  for (const options of [plain, everything]) {
    try {
      const place = await resolveFixTarget(folder);
      const dry = await planFixes(place, options);
      outcome.findings.push(...dry.changes.map(({ fix }) => fix), ...dry.unfixed.map(({ code }) => code));
      await dry.close();
      demandUntouched('a dry run');
      if (await apply(place, options)) {
        await withLock(place.root, () => undoLast(place.root)).finally(() =>
          removeEmptyJournalFolder(place.root),
        );
        demandUntouched('--undo');
      }
    } catch (thrown) {
      const fault = faultOf(thrown);
      if (fault === null) outcome.errors.push((thrown as AssayError).code);
      else outcome.faults.push(fault);
      demandUntouched(`an error (${thrown instanceof AssayError ? thrown.message : 'of another kind'})`);
    }
    if (existsSync(join(folder, journalFolder))) outcome.faults.push(`${journalFolder} is left behind`);
  }
  return outcome;
}

const plain: FixOptions = { stamps: false, video: false };
const everything: FixOptions = { stamps: true, video: true };

/** True if anything was written. */
function apply(place: FixTarget, options: FixOptions): Promise<boolean> {
  const { root } = place;
  return withLock(root, async () => {
    await recover(root);
    const plan = await planFixes(place, options);
    try {
      if (plan.files.length > 0) await applyPlan(plan, new Date().toISOString());
      return plan.files.length > 0;
    } finally {
      await plan.close();
    }
  }).finally(() => removeEmptyJournalFolder(root));
}
