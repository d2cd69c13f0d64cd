// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type { Page } from '../types/shared.ts';
import type {
  GetUseCaseInput,
  ListTargetProfilesInput,
  ListUseCasesInput,
} from '../types/use-cases-calls.ts';
import type { TargetProfile, UseCase } from '../types/use-cases.ts';

export const useCases = ({ call }: Calls) => ({
  /**
   * List the use cases that a workspace can declare.
   *
   * Needs the role `viewer`.
   */
  list: (input: ListUseCasesInput = {}, options?: CallOptions): Promise<Page<UseCase>> =>
    call('list_use_cases', input, options),

  /**
   * Get one use case.
   *
   * Former ids resolve: `data-certification` answers with `data-assessment`.
   *
   * Needs the role `viewer`.
   */
  get: (input: GetUseCaseInput, options?: CallOptions): Promise<UseCase> =>
    call('get_use_case', input, options),

  /**
   * List the targets that a project can declare.
   *
   * Needs the role `viewer`.
   */
  listTargetProfiles: (
    input: ListTargetProfilesInput = {},
    options?: CallOptions,
  ): Promise<Page<TargetProfile>> => call('list_target_profiles', input, options),
});
