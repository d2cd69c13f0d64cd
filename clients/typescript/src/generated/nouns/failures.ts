// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type {
  CloseLoopInput,
  GetFailureImportInput,
  ImportFailuresInput,
  ListFailuresInput,
} from '../types/failures-calls.ts';
import type { ClosedLoop, Failure, FailureImport } from '../types/failures.ts';
import type { Page } from '../types/shared.ts';

export const failures = ({ call }: Calls) => ({
  /**
   * Import failures of a policy, and compare them with the training data.
   *
   * Each failure is described as episodes are: by its motion where it has a trajectory, by the words of
   * its task where it has none. `novelty` is the share of the baseline whose k-th nearest episode is
   * nearer than the k-th nearest of the failure. The nearest episodes of near failures become a slice;
   * novel failures are out of the data. Trajectories are not kept.
   *
   * Needs the role `reviewer`.
   */
  import: (input: ImportFailuresInput, options?: CallOptions): Promise<FailureImport> =>
    call('import_failures', input, options),

  /**
   * List a project’s failures with their novelty, newest first.
   *
   * Needs the role `viewer`.
   */
  list: (input: ListFailuresInput, options?: CallOptions): Promise<Page<Failure>> =>
    call('list_failures', input, options),

  /**
   * Get an import of failures: its counts, its baseline, its slice.
   *
   * Needs the role `viewer`.
   */
  getImport: (input: GetFailureImportInput, options?: CallOptions): Promise<FailureImport> =>
    call('get_failure_import', input, options),

  /**
   * Curate again with the nearest episodes of an import boosted, and stage an export.
   *
   * One transaction: the plan is stored and the export is queued, or neither. Episodes that hold a
   * failure are not exported. The export waits for a person: `POST …/exports/{export_id}/seal`.
   *
   * Needs the role `engineer`.
   */
  closeLoop: (input: CloseLoopInput, options?: CallOptions): Promise<ClosedLoop> =>
    call('close_loop', input, options),
});
