// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
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

export const workspaces = ({ call }: Calls) => ({
  /**
   * List workspaces, newest first.
   *
   * Requires the role `viewer` or higher.
   */
  list: (input: ListWorkspacesInput = {}, options?: CallOptions): Promise<Page<Workspace>> =>
    call('list_workspaces', input, options),

  /**
   * Create a workspace for a use case.
   *
   * Requires the role `engineer` or higher.
   */
  create: (input: CreateWorkspaceInput, options?: CallOptions): Promise<Workspace> =>
    call('create_workspace', input, options),

  /**
   * Get a workspace.
   *
   * Requires the role `viewer` or higher.
   */
  get: (input: GetWorkspaceInput, options?: CallOptions): Promise<Workspace> =>
    call('get_workspace', input, options),

  /**
   * Rename a workspace.
   *
   * Requires the role `engineer` or higher.
   */
  update: (input: UpdateWorkspaceInput, options?: CallOptions): Promise<Workspace> =>
    call('update_workspace', input, options),

  /**
   * Delete a workspace without projects.
   *
   * Requires the role `engineer` or higher.
   */
  delete: (input: DeleteWorkspaceInput, options?: CallOptions): Promise<undefined> =>
    call('delete_workspace', input, options),

  /**
   * Set the use case of a workspace.
   *
   * Returns 409 with the projects whose target profile does not apply under the new use case. With
   * `unfit_projects: keep`, those projects are left unchanged and report the mismatch.
   *
   * Requires the role `engineer` or higher.
   */
  setUseCase: (input: SetUseCaseInput, options?: CallOptions): Promise<Workspace> =>
    call('set_use_case', input, options),
});
