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
    summary: 'Get a project’s effective readiness settings',
    description:
      'For each check: the default, the use case’s weight, the project’s changes and the effective value. Pass `settings_file` to `assay assess --settings` to get the same receipts locally.',
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
    summary: 'Update a project’s readiness settings',
    description:
      'Omitted fields keep their values; `null` resets one field, `{}` resets a check, and `"checks": {}` resets all checks. `loaders` replaces the stored list: the training loaders that decide whether a dataset loads. Out-of-range threshold offsets and weight factors are clamped and listed in `adjusted`. Episodes keep their receipts until the next rescore or run.',
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
    summary: 'Get a project’s readiness for its target',
    description:
      'Returns the target’s requirements and whether they are met, the action representation (inferred from names and from the effect of actions on the measured state), and the recommended policy class with the rules behind it and literature for and against. No policy is trained.',
    role: 'viewer',
    params,
    success: { status: 200, schema: targetReadinessSchema },
    errors: ['not_found'],
    conditional: true,
  }),
] as const satisfies readonly Operation[];
