// Written by `npm run generate` from src/core/api. Change it there.
import type { Kind, TargetProfileId } from './shared.ts';

export interface ListProjectsInput {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly workspace_id?: string | undefined;
}

export interface CreateProjectInput {
  readonly workspace_id: string;
  readonly name: string;
  readonly target_profile: TargetProfileId;
}

export interface GetProjectInput {
  readonly project_id: string;
}

export interface UpdateProjectInput {
  readonly project_id: string;
  readonly name?: string | undefined;
  readonly target_profile?: TargetProfileId | undefined;
}

export interface DeleteProjectInput {
  readonly project_id: string;
}

export interface GetDataKindInput {
  readonly project_id: string;
}

export interface SetDataKindInput {
  readonly project_id: string;
  readonly kind: Kind | null;
}

export interface GetProjectFormatsInput {
  readonly project_id: string;
}
