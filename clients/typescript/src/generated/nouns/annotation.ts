// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
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

export const annotation = ({ call }: Calls) => ({
  /**
   * Get a project’s effective annotation settings.
   *
   * Returns every layer with its mode, where the mode was set, whether it applies to the project’s data,
   * and its settings; the available models with benchmark evidence; the presets; and the estimated
   * annotation cost of the next run.
   *
   * Requires the role `viewer` or higher.
   */
  getSettings: (input: GetAnnotationSettingsInput, options?: CallOptions): Promise<AnnotationSettings> =>
    call('get_annotation_settings', input, options),

  /**
   * Update a project’s annotation settings.
   *
   * Sets layer modes, layer settings and models. Omitted fields keep their values; an empty object
   * resets a field to the value inherited from the workspace or use case. A preset sets the mode of
   * every layer; modes sent with it take precedence. Out-of-range layer settings are clamped and unknown
   * ones are dropped; both are listed in `adjusted`. Each model must be one of the options of its
   * surface.
   *
   * Requires the role `engineer` or higher.
   */
  setSettings: (input: SetAnnotationSettingsInput, options?: CallOptions): Promise<AnnotationSettings> =>
    call('set_annotation_settings', input, options),

  /**
   * Get the annotation settings that a workspace’s projects inherit.
   *
   * Returns only what is stored for the workspace; the defaults of its use case apply to the rest.
   *
   * Requires the role `viewer` or higher.
   */
  getWorkspaceSettings: (
    input: GetWorkspaceAnnotationSettingsInput,
    options?: CallOptions,
  ): Promise<WorkspaceAnnotationSettings> => call('get_workspace_annotation_settings', input, options),

  /**
   * Update the annotation settings that a workspace’s projects inherit.
   *
   * Same rules as for a project. Project settings take precedence over workspace settings.
   *
   * Requires the role `engineer` or higher.
   */
  setWorkspaceSettings: (
    input: SetWorkspaceAnnotationSettingsInput,
    options?: CallOptions,
  ): Promise<WorkspaceAnnotationSettings> => call('set_workspace_annotation_settings', input, options),

  /**
   * Get the status of each annotation layer of a project.
   *
   * Returns each layer’s state and reason, the number of annotated and applicable episodes, whether the
   * latest finished run produced it, whether it can run on this installation, and its open job. Computed
   * at the time of the request.
   *
   * Requires the role `viewer` or higher.
   */
  getStatus: (input: GetAnnotationStatusInput, options?: CallOptions): Promise<AnnotationStatus> =>
    call('get_annotation_status', input, options),

  /**
   * Get annotation coverage and quality by layer and data kind.
   *
   * For each data kind in the project (or only the pinned kind): number of episodes, number with the
   * layer, and the mean of the layer’s quality signal over the episodes where it was measured, or the
   * reason why there is none.
   *
   * Requires the role `viewer` or higher.
   */
  getCoverage: (input: GetAnnotationCoverageInput, options?: CallOptions): Promise<AnnotationCoverage> =>
    call('get_annotation_coverage', input, options),

  /**
   * List the models available for each task, with benchmark evidence.
   *
   * A surface is a task that a model performs, such as `detection`. For each surface: its options, the
   * model used unless a project chooses another, where that choice was made, and the models rejected
   * because of their licence.
   *
   * Requires the role `viewer` or higher.
   */
  listModels: (input: ListModelsInput = {}, options?: CallOptions): Promise<ModelRegistry> =>
    call('list_models', input, options),

  /**
   * Set the tenant’s default models.
   *
   * Replaces the previous choice; an empty object clears it. A project’s choice overrides the tenant’s,
   * and the service configuration overrides both. Each model must be one of the options of its surface.
   *
   * Requires the role `admin` or higher.
   */
  setModels: (input: SetModelsInput, options?: CallOptions): Promise<ModelRegistry> =>
    call('set_models', input, options),
});
