// Written by `npm run generate` from src/core/api. Change it there.
import type { Page } from '../types/shared.ts';
import type {
  GetUseCaseInput,
  ListTargetProfilesInput,
  ListUseCasesInput,
} from '../types/use-cases-calls.ts';
import type { TargetProfile, UseCase } from '../types/use-cases.ts';

export interface UseCasesOperations {
  list_use_cases: {
    input: ListUseCasesInput;
    answer: Page<UseCase>;
    error: 'rate_limited' | 'unauthenticated';
  };
  get_use_case: {
    input: GetUseCaseInput;
    answer: UseCase;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  list_target_profiles: {
    input: ListTargetProfilesInput;
    answer: Page<TargetProfile>;
    error: 'rate_limited' | 'unauthenticated';
  };
}
