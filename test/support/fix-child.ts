import { applyPlan, planFixes, recover, undoLast } from '#formats/fix';

/** A process to be killed: applies fixes to a set (`apply`), or takes them back (`undo`). */
const [, , what, root] = process.argv;
await recover(root);
if (what === 'undo') await undoLast(root);
else
  await applyPlan(
    await planFixes({ root: root, file: null }, { stamps: true, video: true }),
    new Date().toISOString(),
  );
