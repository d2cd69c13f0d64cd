// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type {
  CreateProjectInput,
  DeleteProjectInput,
  GetDataKindInput,
  GetProjectFormatsInput,
  GetProjectInput,
  ListProjectsInput,
  SetDataKindInput,
  UpdateProjectInput,
} from '../types/projects-calls.ts';
import type { DataKind, Project, ProjectFormats } from '../types/projects.ts';
import type { Page } from '../types/shared.ts';

export const projects = ({ call }: Calls) => ({
  /**
   * List projects, newest first.
   *
   * Requires the role `viewer` or higher.
   */
  list: (input: ListProjectsInput = {}, options?: CallOptions): Promise<Page<Project>> =>
    call('list_projects', input, options),

  /**
   * Create a project in a workspace.
   *
   * Requires the role `engineer` or higher.
   */
  create: (input: CreateProjectInput, options?: CallOptions): Promise<Project> =>
    call('create_project', input, options),

  /**
   * Get a project.
   *
   * Requires the role `viewer` or higher.
   */
  get: (input: GetProjectInput, options?: CallOptions): Promise<Project> =>
    call('get_project', input, options),

  /**
   * Rename a project or set its target profile.
   *
   * Requires the role `engineer` or higher.
   */
  update: (input: UpdateProjectInput, options?: CallOptions): Promise<Project> =>
    call('update_project', input, options),

  /**
   * Delete a project without sources.
   *
   * Requires the role `engineer` or higher.
   */
  delete: (input: DeleteProjectInput, options?: CallOptions): Promise<undefined> =>
    call('delete_project', input, options),

  /**
   * Get a project’s data kind and the evidence for it.
   *
   * Requires the role `viewer` or higher.
   */
  getDataKind: (input: GetDataKindInput, options?: CallOptions): Promise<DataKind> =>
    call('get_data_kind', input, options),

  /**
   * Pin or unpin a project’s data kind.
   *
   * A pinned kind overrides the kind detected from the streams. It takes effect with the next run, not
   * with a rescore, because the kind determines what is measured.
   *
   * Requires the role `engineer` or higher.
   */
  setDataKind: (input: SetDataKindInput, options?: CallOptions): Promise<DataKind> =>
    call('set_data_kind', input, options),

  /**
   * List source and export formats and whether they fit the project.
   *
   * Requires the role `viewer` or higher.
   */
  getFormats: (input: GetProjectFormatsInput, options?: CallOptions): Promise<ProjectFormats> =>
    call('get_project_formats', input, options),
});
