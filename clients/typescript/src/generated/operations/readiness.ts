// Written by `npm run generate` from src/core/api. Change it there.
import type {
  GetReadinessSettingsInput,
  GetTargetReadinessInput,
  RescoreProjectAnswer,
  RescoreProjectInput,
  SetReadinessSettingsInput,
} from '../types/readiness-calls.ts';
import type { ProjectReadinessSettings, TargetReadiness } from '../types/readiness.ts';

export interface ReadinessOperations {
  get_readiness_settings: {
    input: GetReadinessSettingsInput;
    answer: ProjectReadinessSettings;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  set_readiness_settings: {
    input: SetReadinessSettingsInput;
    answer: ProjectReadinessSettings;
    error:
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  get_target_readiness: {
    input: GetTargetReadinessInput;
    answer: TargetReadiness;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  rescore_project: {
    input: RescoreProjectInput;
    answer: RescoreProjectAnswer;
    error:
      | 'budget_exceeded'
      | 'conflict'
      | 'forbidden'
      | 'idempotency_conflict'
      | 'not_found'
      | 'not_ready'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
}
