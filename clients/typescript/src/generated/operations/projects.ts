// Written by `npm run generate` from src/core/api. Change it there.
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

export interface ProjectsOperations {
  list_projects: {
    input: ListProjectsInput;
    answer: Page<Project>;
    error: 'rate_limited' | 'unauthenticated';
  };
  create_project: {
    input: CreateProjectInput;
    answer: Project;
    error:
      | 'forbidden'
      | 'idempotency_conflict'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  get_project: {
    input: GetProjectInput;
    answer: Project;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  update_project: {
    input: UpdateProjectInput;
    answer: Project;
    error:
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  delete_project: {
    input: DeleteProjectInput;
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
  get_data_kind: {
    input: GetDataKindInput;
    answer: DataKind;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  set_data_kind: {
    input: SetDataKindInput;
    answer: DataKind;
    error:
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  get_project_formats: {
    input: GetProjectFormatsInput;
    answer: ProjectFormats;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
}
