// Written by `npm run generate` from src/core/api. Change it there.
export interface ListUseCasesInput {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface GetUseCaseInput {
  readonly use_case_id: string;
}

export interface ListTargetProfilesInput {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}
