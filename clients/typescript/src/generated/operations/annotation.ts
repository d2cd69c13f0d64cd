// Written by `npm run generate` from src/core/api. Change it there.
import type {
  GetAnnotationCoverageInput,
  GetAnnotationSettingsInput,
  GetAnnotationStatusInput,
  GetWorkspaceAnnotationSettingsInput,
  ListModelsInput,
  SetAnnotationSettingsInput,
  SetModelsInput,
  SetWorkspaceAnnotationSettingsInput,
} from '../types/annotation-calls.ts';
import type {
  AnnotationCoverage,
  AnnotationSettings,
  AnnotationStatus,
  ModelRegistry,
  WorkspaceAnnotationSettings,
} from '../types/annotation.ts';

export interface AnnotationOperations {
  get_annotation_settings: {
    input: GetAnnotationSettingsInput;
    answer: AnnotationSettings;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  set_annotation_settings: {
    input: SetAnnotationSettingsInput;
    answer: AnnotationSettings;
    error:
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  get_workspace_annotation_settings: {
    input: GetWorkspaceAnnotationSettingsInput;
    answer: WorkspaceAnnotationSettings;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  set_workspace_annotation_settings: {
    input: SetWorkspaceAnnotationSettingsInput;
    answer: WorkspaceAnnotationSettings;
    error:
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  get_annotation_status: {
    input: GetAnnotationStatusInput;
    answer: AnnotationStatus;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  get_annotation_coverage: {
    input: GetAnnotationCoverageInput;
    answer: AnnotationCoverage;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  list_models: { input: ListModelsInput; answer: ModelRegistry; error: 'rate_limited' | 'unauthenticated' };
  set_models: {
    input: SetModelsInput;
    answer: ModelRegistry;
    error: 'forbidden' | 'payload_too_large' | 'rate_limited' | 'unauthenticated' | 'unsupported_media_type';
  };
}
