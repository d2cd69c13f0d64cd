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
   * List use cases for workspaces.
   *
   * Requires the role `viewer` or higher.
   */
  list: (input: ListUseCasesInput = {}, options?: CallOptions): Promise<Page<UseCase>> =>
    call('list_use_cases', input, options),

  /**
   * Get a use case.
   *
   * Former ids are accepted: `data-certification` returns `data-assessment`.
   *
   * Requires the role `viewer` or higher.
   */
  get: (input: GetUseCaseInput, options?: CallOptions): Promise<UseCase> =>
    call('get_use_case', input, options),

  /**
   * List target profiles for projects.
   *
   * Requires the role `viewer` or higher.
   */
  listTargetProfiles: (
    input: ListTargetProfilesInput = {},
    options?: CallOptions,
  ): Promise<Page<TargetProfile>> => call('list_target_profiles', input, options),
});
