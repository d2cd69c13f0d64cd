import { z } from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { idSchema } from '../primitives.ts';
import { projectReadinessSettingsSchema, setReadinessSettingsSchema } from '../schemas/readiness-settings.ts';
import { targetReadinessSchema } from '../schemas/target-readiness.ts';

const params = z.object({ project_id: idSchema('prj') });

/** Readiness settings and results of a project. */
export const readinessOperations = [
  defineOperation({
    id: 'get_readiness_settings',
    method: 'GET',
    path: '/v1/projects/{project_id}/readiness/settings',
    tag: 'readiness',
    summary: 'Get the readiness settings in effect for a project',
    description:
      'Each check with its default, the use case’s weight, what the project stores, and the effective value. `settings_file` is what `assay assess --settings` takes to make the same receipts.',
    role: 'viewer',
    params,
    success: { status: 200, schema: projectReadinessSettingsSchema },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'set_readiness_settings',
    method: 'PUT',
    path: '/v1/projects/{project_id}/readiness/settings',
    tag: 'readiness',
    summary: 'Set how a project’s checks differ from what it inherits',
    description:
      'What is left out stays; null resets one member, `{}` a check, and `"checks": {}` all. Offsets and factors out of bounds are clamped, and `adjusted` names them. Episodes keep their receipts until a rescore or a run.',
    role: 'engineer',
    params,
    body: setReadinessSettingsSchema,
    success: { status: 200, schema: projectReadinessSettingsSchema },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'get_target_readiness',
    method: 'GET',
    path: '/v1/projects/{project_id}/readiness/target',
    tag: 'readiness',
    summary: 'Get the readiness of a project’s data for its target',
    description:
      'The target’s requirements, met or not; how actions are stored, from their names and their effect on the measured state; and which kind of policy they suit, by listed rules, with the literature that disagrees. No policy is trained.',
    role: 'viewer',
    params,
    success: { status: 200, schema: targetReadinessSchema },
    errors: ['not_found'],
    conditional: true,
  }),
] as const satisfies readonly Operation[];
