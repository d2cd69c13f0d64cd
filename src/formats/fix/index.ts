export { assertSeparateFolders, copyOut } from '../shared/fix/copy-out.ts';
export type { Change, FixOptions, FixPlan, Unfixed } from '../shared/fix/fix.ts';
export {
  applyPlan,
  type RecoveryResult,
  recover,
  removeEmptyJournalFolder,
  undoLast,
} from '../shared/fix/journal.ts';
export { journalFolder, withLock } from '../shared/fix/journal-files.ts';
export { type FixTarget, planFixes, resolveFixTarget } from './plan-fixes.ts';
