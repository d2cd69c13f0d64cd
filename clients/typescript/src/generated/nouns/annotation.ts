// Written by `npm run generate` from src/contract. Change it there.
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
   * Gets the annotation layers as they are in effect for a project.
   *
   * Every layer with its mode, whose word that is, whether the project’s data can carry it, and its
   * knobs; the models with what speaks for them; presets; and what the next run would spend on layers.
   *
   * Needs the role `viewer`.
   */
  getSettings: (input: GetAnnotationSettingsInput, options?: CallOptions): Promise<AnnotationSettings> =>
    call('get_annotation_settings', input, options),

  /**
   * Stores which annotation layers a project runs, how and with which models.
   *
   * A member that is left out stays; an empty object clears it, back to what the workspace or the use
   * case says. A preset sets the mode of every layer, and modes named beside it win. Knobs are brought
   * within their range and never refused; a model must be one of its surface’s options.
   *
   * Needs the role `engineer`.
   */
  setSettings: (input: SetAnnotationSettingsInput, options?: CallOptions): Promise<AnnotationSettings> =>
    call('set_annotation_settings', input, options),

  /**
   * Stores what a workspace’s projects inherit.
   *
   * As for a project; a project’s own settings win.
   *
   * Needs the role `engineer`.
   */
  setWorkspaceSettings: (
    input: SetWorkspaceAnnotationSettingsInput,
    options?: CallOptions,
  ): Promise<WorkspaceAnnotationSettings> => call('set_workspace_annotation_settings', input, options),

  /**
   * Tells how each annotation layer of a project stands.
   *
   * Its state with the reason, how many episodes carry it of those that can, whether the newest run that
   * ended did it, whether it can be run here, and the job that is queued or under way. Told from what is
   * stored at the time of the request.
   *
   * Needs the role `viewer`.
   */
  getStatus: (input: GetAnnotationStatusInput, options?: CallOptions): Promise<AnnotationStatus> =>
    call('get_annotation_status', input, options),

  /**
   * Tells how far each annotation layer has come, by kind of data, and how good it is.
   *
   * For each kind that occurs in the project, or the pinned one in place of all: episodes, those that
   * carry the layer, and the mean of the layer’s quality signal over those that let it be told.
   *
   * Needs the role `viewer`.
   */
  getCoverage: (input: GetAnnotationCoverageInput, options?: CallOptions): Promise<AnnotationCoverage> =>
    call('get_annotation_coverage', input, options),

  /**
   * Lists what models are used for, which may be chosen and what speaks for them.
   *
   * Each surface with its options, the one in effect where no project has chosen and whose word that is,
   * and the models that were turned down for their licence.
   *
   * Needs the role `viewer`.
   */
  listModels: (input: ListModelsInput = {}, options?: CallOptions): Promise<ModelRegistry> =>
    call('list_models', input, options),

  /**
   * Chooses models for all projects of the tenant.
   *
   * Replaces what was chosen; an empty object clears it. A project’s own choice wins over it, and what
   * the service was started with wins over both. A model must be one of its surface’s options.
   *
   * Needs the role `admin`.
   */
  setModels: (input: SetModelsInput, options?: CallOptions): Promise<ModelRegistry> =>
    call('set_models', input, options),
});
