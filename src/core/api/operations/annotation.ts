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
} from '../schemas/annotation/annotation-settings.ts';
import { annotationCoverageSchema, annotationStatusSchema } from '../schemas/annotation/annotations.ts';
import { useCaseInputSchema } from '../schemas/use-cases.ts';

const tag = 'annotation';
const params = z.object({ project_id: idSchema('prj') });

/** Annotation layers, their settings and models. */
export const annotationOperations = [
  defineOperation({
    id: 'get_annotation_settings',
    method: 'GET',
    path: '/v1/projects/{project_id}/annotation/settings',
    tag,
    summary: 'Get the annotation settings in effect for a project',
    description:
      'Every layer with its mode, who set the mode, whether the project’s data can carry the layer, and its knobs; the models with their evidence; the presets; and what the next run would spend on layers.',
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
    summary: 'Set which annotation layers a project runs, how, and with which models',
    description:
      'A member that is left out keeps its value; an empty object resets it to what the workspace or the use case sets. A preset sets the mode of every layer; modes named beside it win. Knobs out of range are clamped, never refused. A model must be one of its surface’s options.',
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
    summary: 'Set what a workspace’s projects inherit',
    description: 'Works as it does for a project. A project’s own settings win.',
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
    summary: 'Get the state of each annotation layer of a project',
    description:
      'The state with its reason, how many of the episodes that can carry the layer do, whether the newest finished run made it, whether it can run here, and the job that is queued or running. Computed from what is stored at the time of the request.',
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
    summary: 'Get the coverage and quality of each annotation layer, by kind of data',
    description:
      'For each kind in the project, or only the pinned one: the number of episodes, how many carry the layer, and the mean of the layer’s quality signal over those where it could be measured.',
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
    summary: 'List model surfaces with their options and the evidence for each',
    description:
      'A surface is what a model is used for. Each comes with its options, the one in effect unless a project chooses, who chose it, and the models that were rejected for their licence.',
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
    summary: 'Choose models for all projects of the tenant',
    description:
      'Replaces the earlier choice; an empty object clears it. A project’s choice wins over the tenant’s, and the service’s configuration wins over both. A model must be one of its surface’s options.',
    role: 'admin',
    body: setTenantModelsSchema,
    success: { status: 200, schema: modelRegistrySchema },
    errors: [],
  }),
] as const satisfies readonly Operation[];
