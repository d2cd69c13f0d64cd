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
   * Needs the role `viewer`.
   */
  list: (input: ListWorkspacesInput = {}, options?: CallOptions): Promise<Page<Workspace>> =>
    call('list_workspaces', input, options),

  /**
   * Create a workspace for a use case.
   *
   * Needs the role `engineer`.
   */
  create: (input: CreateWorkspaceInput, options?: CallOptions): Promise<Workspace> =>
    call('create_workspace', input, options),

  /**
   * Get one workspace.
   *
   * Needs the role `viewer`.
   */
  get: (input: GetWorkspaceInput, options?: CallOptions): Promise<Workspace> =>
    call('get_workspace', input, options),

  /**
   * Renames a workspace.
   *
   * Needs the role `engineer`.
   */
  update: (input: UpdateWorkspaceInput, options?: CallOptions): Promise<Workspace> =>
    call('update_workspace', input, options),

  /**
   * Delete a workspace without projects.
   *
   * Needs the role `engineer`.
   */
  delete: (input: DeleteWorkspaceInput, options?: CallOptions): Promise<undefined> =>
    call('delete_workspace', input, options),

  /**
   * Set the use case of a workspace.
   *
   * Projects whose target profile does not apply under the new use case make it a conflict that names
   * them, unless `unfit_projects` is `keep`: then they stay as they are and say so.
   *
   * Needs the role `engineer`.
   */
  setUseCase: (input: SetUseCaseInput, options?: CallOptions): Promise<Workspace> =>
    call('set_use_case', input, options),
});
