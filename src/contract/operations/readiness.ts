import { z } from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { idSchema } from '../primitives.ts';
import { projectReadinessSettingsSchema, setReadinessSettingsSchema } from '../schemas/readiness-settings.ts';
import { targetReadinessSchema } from '../schemas/target-readiness.ts';

const params = z.object({ project_id: idSchema('prj') });

/** How a project's episodes are judged. */
export const readinessOperations = [
  defineOperation({
    id: 'get_readiness_settings',
    method: 'GET',
    path: '/v1/projects/{project_id}/readiness/settings',
    tag: 'readiness',
    summary: 'Gets the readiness checks as they are in effect for a project',
    description:
      'Each check with its default, what the use case stresses, what the project stores, and what follows. `settings_file` is what `assay assess --settings` takes to make the same receipts.',
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
    summary: 'Stores how a project’s checks differ from what it inherits',
    description:
      'What is left out stays; null clears one member, `{}` a check, and `"checks": {}` all. Offsets and factors out of bounds are brought to the bound, and `adjusted` says so. Episodes keep their receipts until they are judged again.',
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
    summary: 'Gets whether a project’s data suits its target',
    description:
      'Requirements of the target, met or not; how actions are stored, read off names and off what they do to the measured state; and what kind of policy they suit, by rules that are listed, with the literature that disagrees. No policy is trained.',
    role: 'viewer',
    params,
    success: { status: 200, schema: targetReadinessSchema },
    errors: ['not_found'],
    conditional: true,
  }),
] as const satisfies readonly Operation[];
