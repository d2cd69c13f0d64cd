// Written by `npm run generate` from src/core/api. Change it there.
import type { LayerMode } from './annotation.ts';
import type { LayerId, UseCaseName } from './shared.ts';

export interface GetAnnotationSettingsInput {
  readonly project_id: string;
}

export interface SetAnnotationSettingsInput {
  readonly project_id: string;
  readonly modes?: Readonly<Partial<Record<LayerId, LayerMode>>> | undefined;
  readonly preset?:
    | 'readiness-only'
    | 'manipulation-qc'
    | 'egocentric-full'
    | 'drive-log-lite'
    | 'world-model'
    | 'everything'
    | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly models?: Readonly<Record<string, string>> | undefined;
}

export interface GetWorkspaceAnnotationSettingsInput {
  readonly workspace_id: string;
}

export interface SetWorkspaceAnnotationSettingsInput {
  readonly workspace_id: string;
  readonly modes?: Readonly<Partial<Record<LayerId, LayerMode>>> | undefined;
  readonly preset?:
    | 'readiness-only'
    | 'manipulation-qc'
    | 'egocentric-full'
    | 'drive-log-lite'
    | 'world-model'
    | 'everything'
    | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

export interface GetAnnotationStatusInput {
  readonly project_id: string;
}

export interface GetAnnotationCoverageInput {
  readonly project_id: string;
}

export interface ListModelsInput {
  readonly use_case?: UseCaseName | undefined;
}

export interface SetModelsInput {
  readonly models: Readonly<Record<string, string>>;
}
