// Written by `npm run generate` from src/core/api. Change it there.
import type { Page } from '../types/shared.ts';
import type {
  CreateWorkspaceInput,
  DeleteWorkspaceInput,
  GetWorkspaceInput,
  ListWorkspacesInput,
  SetUseCaseInput,
  UpdateWorkspaceInput,
} from '../types/workspaces-calls.ts';
import type { Workspace } from '../types/workspaces.ts';

export interface WorkspacesOperations {
  list_workspaces: {
    input: ListWorkspacesInput;
    answer: Page<Workspace>;
    error: 'rate_limited' | 'unauthenticated';
  };
  create_workspace: {
    input: CreateWorkspaceInput;
    answer: Workspace;
    error:
      | 'forbidden'
      | 'idempotency_conflict'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  get_workspace: {
    input: GetWorkspaceInput;
    answer: Workspace;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  update_workspace: {
    input: UpdateWorkspaceInput;
    answer: Workspace;
    error:
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  delete_workspace: {
    input: DeleteWorkspaceInput;
    answer: undefined;
    error:
      | 'conflict'
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  set_use_case: {
    input: SetUseCaseInput;
    answer: Workspace;
    error:
      | 'conflict'
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
}
