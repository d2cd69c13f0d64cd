import type { ActionSpaceDiagnosis, TargetProfileId } from '#core/api';

/** What a recommendation goes by; all of it counted or measured. */
export interface PolicyFacts {
  readonly target_profile: TargetProfileId;
  /** Episodes that were not rejected, and their length in all. */
  readonly episodes: number;
  readonly hours: number;
  /** Different task texts among them, and the share of episodes that has one. */
  readonly tasks: number;
  readonly instructed_share: number;
  /** Camera streams of most episodes that were looked at. */
  readonly cameras: number;
  readonly has_state: boolean;
  /** Rate of the action stream. */
  readonly action_rate_hz: number | null;
  readonly action_space: ActionSpaceDiagnosis;
}
