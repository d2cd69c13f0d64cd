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
   * Get the readiness settings in effect for a project.
   *
   * Each check with its default, the use case’s weight, what the project stores, and the effective
   * value. `settings_file` is what `assay assess --settings` takes to make the same receipts.
   *
   * Needs the role `viewer`.
   */
  getSettings: (input: GetReadinessSettingsInput, options?: CallOptions): Promise<ProjectReadinessSettings> =>
    call('get_readiness_settings', input, options),

  /**
   * Set how a project’s checks differ from what it inherits.
   *
   * What is left out stays; null resets one member, `{}` a check, and `"checks": {}` all. Offsets and
   * factors out of bounds are clamped, and `adjusted` names them. Episodes keep their receipts until a
   * rescore or a run.
   *
   * Needs the role `engineer`.
   */
  setSettings: (input: SetReadinessSettingsInput, options?: CallOptions): Promise<ProjectReadinessSettings> =>
    call('set_readiness_settings', input, options),

  /**
   * Get the readiness of a project’s data for its target.
   *
   * The target’s requirements, met or not; how actions are stored, from their names and their effect on
   * the measured state; and which kind of policy they suit, by listed rules, with the literature that
   * disagrees. No policy is trained.
   *
   * Needs the role `viewer`.
   */
  getTarget: (input: GetTargetReadinessInput, options?: CallOptions): Promise<TargetReadiness> =>
    call('get_target_readiness', input, options),

  /**
   * Judge again what was measured, under the current settings.
   *
   * Nothing is read or decoded: a run for each source judges the measurements of its newest finished
   * assessment and seals new receipts.
   *
   * Needs the role `engineer`.
   */
  rescoreProject: (input: RescoreProjectInput, options?: CallOptions): Promise<RescoreProjectAnswer> =>
    call('rescore_project', input, options),
});
