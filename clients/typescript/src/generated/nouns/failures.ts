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
   * Import policy failures and compare them with the training data.
   *
   * Each failure is compared with the project’s episodes by its motion if it has a trajectory, otherwise
   * by the words of its task. `novelty` is the share of baseline episodes whose k-th nearest neighbour
   * is closer than that of the failure. The training episodes nearest to failures inside the training
   * distribution are saved as a slice; novel failures are outside the training distribution.
   * Trajectories are not stored.
   *
   * Requires the role `reviewer` or higher.
   */
  import: (input: ImportFailuresInput, options?: CallOptions): Promise<FailureImport> =>
    call('import_failures', input, options),

  /**
   * List a project’s policy failures with their novelty, newest first.
   *
   * Requires the role `viewer` or higher.
   */
  list: (input: ListFailuresInput, options?: CallOptions): Promise<Page<Failure>> =>
    call('list_failures', input, options),

  /**
   * Get a failure import with its counts, baseline and slice.
   *
   * Requires the role `viewer` or higher.
   */
  getImport: (input: GetFailureImportInput, options?: CallOptions): Promise<FailureImport> =>
    call('get_failure_import', input, options),

  /**
   * Curate again with more weight on the episodes nearest to failures, and queue an export.
   *
   * In one transaction, stores the plan and queues the export. Episodes that contain a failure are not
   * exported. The export must be approved by a person with `POST …/exports/{export_id}/seal`.
   *
   * Requires the role `engineer` or higher.
   */
  closeLoop: (input: CloseLoopInput, options?: CallOptions): Promise<ClosedLoop> =>
    call('close_loop', input, options),
});
