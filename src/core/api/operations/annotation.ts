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

/** Annotation layers, their settings and models. */
export const annotationOperations = [
  defineOperation({
    id: 'get_annotation_settings',
    method: 'GET',
    path: '/v1/projects/{project_id}/annotation/settings',
    tag,
    summary: 'Get a project’s effective annotation settings',
    description:
      'Returns every layer with its mode, where the mode was set, whether it applies to the project’s data, and its settings; the available models with benchmark evidence; the presets; and the estimated annotation cost of the next run.',
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
    summary: 'Update a project’s annotation settings',
    description:
      'Sets layer modes, layer settings and models. Omitted fields keep their values; an empty object resets a field to the value inherited from the workspace or use case. A preset sets the mode of every layer; modes sent with it take precedence. Out-of-range layer settings are clamped and unknown ones are dropped; both are listed in `adjusted`. Each model must be one of the options of its surface.',
    role: 'engineer',
    params,
    body: setAnnotationSettingsSchema,
    success: { status: 200, schema: annotationSettingsSchema },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'get_workspace_annotation_settings',
    method: 'GET',
    path: '/v1/workspaces/{workspace_id}/annotation/settings',
    tag,
    summary: 'Get the annotation settings that a workspace’s projects inherit',
    description:
      'Returns only what is stored for the workspace; the defaults of its use case apply to the rest.',
    role: 'viewer',
    params: z.object({ workspace_id: idSchema('ws') }),
    success: { status: 200, schema: workspaceAnnotationSettingsSchema },
    errors: ['not_found'],
    conditional: true,
  }),
  defineOperation({
    id: 'set_workspace_annotation_settings',
    method: 'PUT',
    path: '/v1/workspaces/{workspace_id}/annotation/settings',
    tag,
    summary: 'Update the annotation settings that a workspace’s projects inherit',
    description: 'Same rules as for a project. Project settings take precedence over workspace settings.',
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
    summary: 'Get the status of each annotation layer of a project',
    description:
      'Returns each layer’s state and reason, the number of annotated and applicable episodes, whether the latest finished run produced it, whether it can run on this installation, and its open job. Computed at the time of the request.',
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
    summary: 'Get annotation coverage and quality by layer and data kind',
    description:
      'For each data kind in the project (or only the pinned kind): number of episodes, number with the layer, and the mean of the layer’s quality signal over the episodes where it was measured, or the reason why there is none.',
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
    summary: 'List the models available for each task, with benchmark evidence',
    description:
      'A surface is a task that a model performs, such as `detection`. For each surface: its options, the model used unless a project chooses another, where that choice was made, and the models rejected because of their licence.',
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
    summary: 'Set the tenant’s default models',
    description:
      'Replaces the previous choice; an empty object clears it. A project’s choice overrides the tenant’s, and the service configuration overrides both. Each model must be one of the options of its surface.',
    role: 'admin',
    body: setTenantModelsSchema,
    success: { status: 200, schema: modelRegistrySchema },
    errors: [],
  }),
] as const satisfies readonly Operation[];
