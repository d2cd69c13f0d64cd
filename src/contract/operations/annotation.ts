import { z } from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { idSchema } from '../primitives.ts';
import {
  annotationSettingsSchema,
  modelRegistrySchema,
  setAnnotationSettingsSchema,
  setTenantModelsSchema,
  setWorkspaceAnnotationSettingsSchema,
  workspaceAnnotationSettingsSchema,
} from '../schemas/annotation-settings.ts';
import { annotationCoverageSchema, annotationStatusSchema } from '../schemas/annotations.ts';
import { useCaseInputSchema } from '../schemas/use-cases.ts';

const tag = 'annotation';
const params = z.object({ project_id: idSchema('prj') });

/** What is added to episodes, and by which models. */
export const annotationOperations = [
  defineOperation({
    id: 'get_annotation_settings',
    method: 'GET',
    path: '/v1/projects/{project_id}/annotation/settings',
    tag,
    summary: 'Gets the annotation layers as they are in effect for a project',
    description:
      'Every layer with its mode, whose word that is, whether the project’s data can carry it, and its knobs; the models with what speaks for them; presets; and what the next run would spend on layers.',
    role: 'viewer',
    params,
    success: { status: 200, schema: annotationSettingsSchema },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'set_annotation_settings',
    method: 'PUT',
    path: '/v1/projects/{project_id}/annotation/settings',
    tag,
    summary: 'Stores which annotation layers a project runs, how and with which models',
    description:
      'A member that is left out stays; an empty object clears it, back to what the workspace or the use case says. A preset sets the mode of every layer, and modes named beside it win. Knobs are brought within their range and never refused; a model must be one of its surface’s options.',
    role: 'engineer',
    params,
    body: setAnnotationSettingsSchema,
    success: { status: 200, schema: annotationSettingsSchema },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'set_workspace_annotation_settings',
    method: 'PUT',
    path: '/v1/workspaces/{workspace_id}/annotation/settings',
    tag,
    summary: 'Stores what a workspace’s projects inherit',
    description: 'As for a project; a project’s own settings win.',
    role: 'engineer',
    params: z.object({ workspace_id: idSchema('ws') }),
    body: setWorkspaceAnnotationSettingsSchema,
    success: { status: 200, schema: workspaceAnnotationSettingsSchema },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'get_annotation_status',
    method: 'GET',
    path: '/v1/projects/{project_id}/annotation/status',
    tag,
    summary: 'Tells how each annotation layer of a project stands',
    description:
      'Its state with the reason, how many episodes carry it of those that can, whether the newest run that ended did it, whether it can be run here, and the job that is queued or under way. Told from what is stored at the time of the request.',
    role: 'viewer',
    params,
    success: { status: 200, schema: annotationStatusSchema },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'get_annotation_coverage',
    method: 'GET',
    path: '/v1/projects/{project_id}/annotation/coverage',
    tag,
    summary: 'Tells how far each annotation layer has come, by kind of data, and how good it is',
    description:
      'For each kind that occurs in the project, or the pinned one in place of all: episodes, those that carry the layer, and the mean of the layer’s quality signal over those that let it be told.',
    role: 'viewer',
    params,
    success: { status: 200, schema: annotationCoverageSchema },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'list_models',
    method: 'GET',
    path: '/v1/models',
    tag,
    summary: 'Lists what models are used for, which may be chosen and what speaks for them',
    description:
      'Each surface with its options, the one in effect where no project has chosen and whose word that is, and the models that were turned down for their licence.',
    role: 'viewer',
    query: z.object({ use_case: useCaseInputSchema.optional() }),
    success: { status: 200, schema: modelRegistrySchema },
    errors: [],
  }),
  defineOperation({
    id: 'set_models',
    method: 'PUT',
    path: '/v1/models',
    tag,
    summary: 'Chooses models for all projects of the tenant',
    description:
      'Replaces what was chosen; an empty object clears it. A project’s own choice wins over it, and what the service was started with wins over both. A model must be one of its surface’s options.',
    role: 'admin',
    body: setTenantModelsSchema,
    success: { status: 200, schema: modelRegistrySchema },
    errors: [],
  }),
] as const satisfies readonly Operation[];
