// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type {
  GetAnnotationCoverageInput,
  GetAnnotationSettingsInput,
  GetAnnotationStatusInput,
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
   * Get the annotation settings in effect for a project.
   *
   * Every layer with its mode, who set the mode, whether the project’s data can carry the layer, and its
   * knobs; the models with their evidence; the presets; and what the next run would spend on layers.
   *
   * Needs the role `viewer`.
   */
  getSettings: (input: GetAnnotationSettingsInput, options?: CallOptions): Promise<AnnotationSettings> =>
    call('get_annotation_settings', input, options),

  /**
   * Set which annotation layers a project runs, how, and with which models.
   *
   * A member that is left out keeps its value; an empty object resets it to what the workspace or the
   * use case sets. A preset sets the mode of every layer; modes named beside it win. Knobs out of range
   * are clamped, never refused. A model must be one of its surface’s options.
   *
   * Needs the role `engineer`.
   */
  setSettings: (input: SetAnnotationSettingsInput, options?: CallOptions): Promise<AnnotationSettings> =>
    call('set_annotation_settings', input, options),

  /**
   * Set what a workspace’s projects inherit.
   *
   * Works as it does for a project. A project’s own settings win.
   *
   * Needs the role `engineer`.
   */
  setWorkspaceSettings: (
    input: SetWorkspaceAnnotationSettingsInput,
    options?: CallOptions,
  ): Promise<WorkspaceAnnotationSettings> => call('set_workspace_annotation_settings', input, options),

  /**
   * Get the state of each annotation layer of a project.
   *
   * The state with its reason, how many of the episodes that can carry the layer do, whether the newest
   * finished run made it, whether it can run here, and the job that is queued or running. Computed from
   * what is stored at the time of the request.
   *
   * Needs the role `viewer`.
   */
  getStatus: (input: GetAnnotationStatusInput, options?: CallOptions): Promise<AnnotationStatus> =>
    call('get_annotation_status', input, options),

  /**
   * Get the coverage and quality of each annotation layer, by kind of data.
   *
   * For each kind in the project, or only the pinned one: the number of episodes, how many carry the
   * layer, and the mean of the layer’s quality signal over those where it could be measured.
   *
   * Needs the role `viewer`.
   */
  getCoverage: (input: GetAnnotationCoverageInput, options?: CallOptions): Promise<AnnotationCoverage> =>
    call('get_annotation_coverage', input, options),

  /**
   * List model surfaces with their options and the evidence for each.
   *
   * A surface is what a model is used for. Each comes with its options, the one in effect unless a
   * project chooses, who chose it, and the models that were rejected for their licence.
   *
   * Needs the role `viewer`.
   */
  listModels: (input: ListModelsInput = {}, options?: CallOptions): Promise<ModelRegistry> =>
    call('list_models', input, options),

  /**
   * Choose models for all projects of the tenant.
   *
   * Replaces the earlier choice; an empty object clears it. A project’s choice wins over the tenant’s,
   * and the service’s configuration wins over both. A model must be one of its surface’s options.
   *
   * Needs the role `admin`.
   */
  setModels: (input: SetModelsInput, options?: CallOptions): Promise<ModelRegistry> =>
    call('set_models', input, options),
});
