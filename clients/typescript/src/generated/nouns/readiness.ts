// Written by `npm run generate` from src/contract. Change it there.
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
   * Gets the readiness checks as they are in effect for a project.
   *
   * Each check with its default, what the use case stresses, what the project stores, and what follows.
   * `settings_file` is what `assay assess --settings` takes to make the same receipts.
   *
   * Needs the role `viewer`.
   */
  getSettings: (input: GetReadinessSettingsInput, options?: CallOptions): Promise<ProjectReadinessSettings> =>
    call('get_readiness_settings', input, options),

  /**
   * Stores how a project’s checks differ from what it inherits.
   *
   * What is left out stays; null clears one member, `{}` a check, and `"checks": {}` all. Offsets and
   * factors out of bounds are brought to the bound, and `adjusted` says so. Episodes keep their receipts
   * until they are judged again.
   *
   * Needs the role `engineer`.
   */
  setSettings: (input: SetReadinessSettingsInput, options?: CallOptions): Promise<ProjectReadinessSettings> =>
    call('set_readiness_settings', input, options),

  /**
   * Gets whether a project’s data suits its target.
   *
   * Requirements of the target, met or not; how actions are stored, read off names and off what they do
   * to the measured state; and what kind of policy they suit, by rules that are listed, with the
   * literature that disagrees. No policy is trained.
   *
   * Needs the role `viewer`.
   */
  getTarget: (input: GetTargetReadinessInput, options?: CallOptions): Promise<TargetReadiness> =>
    call('get_target_readiness', input, options),

  /**
   * Judges again what was measured, under the settings of now.
   *
   * Nothing is read or decoded: a run for each source judges the measurements of its newest finished
   * assessment and seals new receipts.
   *
   * Needs the role `engineer`.
   */
  rescoreProject: (input: RescoreProjectInput, options?: CallOptions): Promise<RescoreProjectAnswer> =>
    call('rescore_project', input, options),
});
