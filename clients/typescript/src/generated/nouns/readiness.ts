// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type {
  GetReadinessSettingsInput,
  GetTargetReadinessInput,
  RescoreProjectAnswer,
  RescoreProjectInput,
  SetReadinessSettingsInput,
} from '../types/readiness-calls.ts';
import type { ProjectReadinessSettings, TargetReadiness } from '../types/readiness.ts';

export const readiness = ({ call }: Calls) => ({
  /**
   * Get a project’s effective readiness settings.
   *
   * For each check: the default, the use case’s weight, the project’s changes and the effective value.
   * Pass `settings_file` to `assay assess --settings` to get the same receipts locally.
   *
   * Requires the role `viewer` or higher.
   */
  getSettings: (input: GetReadinessSettingsInput, options?: CallOptions): Promise<ProjectReadinessSettings> =>
    call('get_readiness_settings', input, options),

  /**
   * Update a project’s readiness settings.
   *
   * Omitted fields keep their values; `null` resets one field, `{}` resets a check, and `"checks": {}`
   * resets all checks. `loaders` replaces the stored list: the training loaders that decide whether a
   * dataset loads. Out-of-range threshold offsets and weight factors are clamped and listed in
   * `adjusted`. Episodes keep their receipts until the next rescore or run.
   *
   * Requires the role `engineer` or higher.
   */
  setSettings: (input: SetReadinessSettingsInput, options?: CallOptions): Promise<ProjectReadinessSettings> =>
    call('set_readiness_settings', input, options),

  /**
   * Get a project’s readiness for its target.
   *
   * Returns the target’s requirements and whether they are met, the action representation (inferred from
   * names and from the effect of actions on the measured state), and the recommended policy class with
   * the rules behind it and literature for and against. No policy is trained.
   *
   * Requires the role `viewer` or higher.
   */
  getTarget: (input: GetTargetReadinessInput, options?: CallOptions): Promise<TargetReadiness> =>
    call('get_target_readiness', input, options),

  /**
   * Re-evaluate measured episodes with the current settings.
   *
   * No recording is read or decoded. For each source, a run evaluates the measurements of the latest
   * finished assessment again and writes new receipts.
   *
   * Requires the role `engineer` or higher.
   */
  rescoreProject: (input: RescoreProjectInput, options?: CallOptions): Promise<RescoreProjectAnswer> =>
    call('rescore_project', input, options),
});
