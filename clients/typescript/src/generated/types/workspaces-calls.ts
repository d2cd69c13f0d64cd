// Written by `npm run generate` from src/core/api. Change it there.
import type { UseCaseName } from './shared.ts';

export interface ListWorkspacesInput {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface CreateWorkspaceInput {
  readonly name: string;
  readonly use_case: UseCaseName;
}

export interface GetWorkspaceInput {
  readonly workspace_id: string;
}

export interface UpdateWorkspaceInput {
  readonly workspace_id: string;
  readonly name: string;
}

export interface DeleteWorkspaceInput {
  readonly workspace_id: string;
}

export interface SetUseCaseInput {
  readonly workspace_id: string;
  readonly use_case: UseCaseName;
  readonly unfit_projects?: 'refuse' | 'keep' | undefined;
}
