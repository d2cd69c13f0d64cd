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
   * Needs the role `viewer`.
   */
  list: (input: ListProjectsInput = {}, options?: CallOptions): Promise<Page<Project>> =>
    call('list_projects', input, options),

  /**
   * Create a project in a workspace, for a target that applies there.
   *
   * Needs the role `engineer`.
   */
  create: (input: CreateProjectInput, options?: CallOptions): Promise<Project> =>
    call('create_project', input, options),

  /**
   * Get one project.
   *
   * Needs the role `viewer`.
   */
  get: (input: GetProjectInput, options?: CallOptions): Promise<Project> =>
    call('get_project', input, options),

  /**
   * Rename a project or set its target.
   *
   * Needs the role `engineer`.
   */
  update: (input: UpdateProjectInput, options?: CallOptions): Promise<Project> =>
    call('update_project', input, options),

  /**
   * Delete a project without sources.
   *
   * Needs the role `engineer`.
   */
  delete: (input: DeleteProjectInput, options?: CallOptions): Promise<undefined> =>
    call('delete_project', input, options),

  /**
   * Get the kind of the project’s data, with the evidence for it.
   *
   * Needs the role `viewer`.
   */
  getDataKind: (input: GetDataKindInput, options?: CallOptions): Promise<DataKind> =>
    call('get_data_kind', input, options),

  /**
   * Pin the kind of the project’s data, or unpin it.
   *
   * A pinned kind wins over the kind that the streams show. It applies from the next run on: the kind
   * decides what is measured, so a rescore does not apply it.
   *
   * Needs the role `engineer`.
   */
  setDataKind: (input: SetDataKindInput, options?: CallOptions): Promise<DataKind> =>
    call('set_data_kind', input, options),

  /**
   * List source and export formats: which fit the project, and why others do not.
   *
   * Needs the role `viewer`.
   */
  getFormats: (input: GetProjectFormatsInput, options?: CallOptions): Promise<ProjectFormats> =>
    call('get_project_formats', input, options),
});
