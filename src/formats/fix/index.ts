export type { Change, FixOptions, FixPlan, Unfixed } from '../shared/fix/fix.ts';
export { assertSeparateFolders, copyOut } from '../shared/fix/journal/copy-out.ts';
export { journalFolder, withLock } from '../shared/fix/journal/files.ts';
export {
  applyPlan,
  type RecoveryResult,
  recover,
  removeEmptyJournalFolder,
  undoLast,
} from '../shared/fix/journal/journal.ts';
export { type FixTarget, planFixes, resolveFixTarget } from './plan-fixes.ts';
