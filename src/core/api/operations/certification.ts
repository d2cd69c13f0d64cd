import { z } from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { idSchema, maxVersion, pageOf, pageQuery } from '../primitives.ts';
import {
  dryRunSchema,
  policyDifferenceSchema,
  savedPolicySchema,
  signingKeySchema,
} from '../schemas/certification/certification.ts';
import { certificationPolicyInputSchema } from '../schemas/certification/policy.ts';
import { certificationReportSchema } from '../schemas/certification/report.ts';
import { exportSchema } from '../schemas/exports.ts';

const params = z.object({ project_id: idSchema('prj') });
const version = z.coerce.number().int().positive().max(maxVersion);
/** Policy version; absent for the newest, or for the default policy of the project's target profile if none was saved. */
const query = z.strictObject({ policy_version: version.optional() });
const base = '/v1/projects/{project_id}/certification' as const;
const tag = 'certification';

/** Certification: policies, reports under them, sealed bundles of evidence and the keys that sign them. */
export const certificationOperations = [
  defineOperation({
    id: 'list_certification_policies',
    method: 'GET',
    path: `${base}/policies`,
    tag,
    summary: 'List the versions of a project’s certification policy, newest first',
    description:
      'A version never changes. Before the first is saved the default policy of the project’s target profile is in effect, without a version.',
    role: 'viewer',
    params,
    query: z.strictObject({ ...pageQuery }),
    success: { status: 200, schema: pageOf(savedPolicySchema) },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'create_certification_policy',
    method: 'POST',
    path: `${base}/policies`,
    tag,
    summary: 'Save a new version of a project’s certification policy',
    description:
      'The service assigns the next version, also to two that are saved at once. The hash of the policy goes into the audit log.',
    role: 'reviewer',
    params,
    body: certificationPolicyInputSchema,
    success: { status: 201, schema: savedPolicySchema },
    errors: ['not_found'],
    idempotent: true,
  }),
  defineOperation({
    id: 'diff_certification_policies',
    method: 'GET',
    path: `${base}/policies/diff`,
    tag,
    summary: 'Compare two versions of a project’s policy',
    role: 'viewer',
    params,
    query: z.strictObject({
      /** Version to compare from; absent for the version before `to`, or for the default policy before the first. */
      from: version.optional(),
      /** Version to compare to; absent for the policy in effect. */
      to: version.optional(),
    }),
    success: { status: 200, schema: policyDifferenceSchema },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'dry_run_certification_policy',
    method: 'POST',
    path: `${base}/policies/dry-run`,
    tag,
    summary: 'Preview what a policy would change, without saving it',
    description: 'Holds the project’s episodes against the policy in effect and against this one.',
    role: 'viewer',
    params,
    body: certificationPolicyInputSchema,
    success: { status: 200, schema: dryRunSchema },
    errors: ['not_found', 'limit_exceeded', 'storage_unavailable'],
  }),
  defineOperation({
    id: 'get_certification_report',
    method: 'GET',
    path: `${base}/report`,
    tag,
    summary: 'Get the certification report of a project’s episodes as they are now',
    description:
      'The same evidence and policy give the same bytes; the entity tag is the hash of both. A report over more episodes than a request may wait for is read from the bundle that `POST …/export` seals.',
    role: 'viewer',
    params,
    query,
    success: { status: 200, content_type: 'application/json', schema: certificationReportSchema },
    errors: ['not_found', 'limit_exceeded', 'storage_unavailable'],
    conditional: true,
  }),
  defineOperation({
    id: 'export_certification',
    method: 'POST',
    path: `${base}/export`,
    tag,
    summary: 'Seal report, policy and receipts into a bundle among the project’s exports',
    description:
      'The bundle is made in the background, signed with the tenant’s key, and downloaded as any export: `GET …/exports/{export_id}/download?as=zip` is the bundle that `assay verify` takes. It holds no media. The same evidence under the same policy is sealed once. A default policy that nobody has saved is saved as the next version.',
    role: 'reviewer',
    params,
    query,
    success: { status: 202, schema: exportSchema, found: 200 },
    errors: ['not_found', 'not_ready', 'budget_exceeded'],
    idempotent: true,
  }),
  defineOperation({
    id: 'import_certification_report',
    method: 'POST',
    path: `${base}/import`,
    tag,
    summary: 'Seal a report that was made elsewhere into a bundle',
    description:
      'Takes the `report.json` that `assay certify --project` wrote. Its project must be this one, its policy one of this project’s versions, and its content what its hash says. The bundle’s manifest says `local_report_import`: nothing here has measured it.',
    role: 'admin',
    params,
    body: certificationReportSchema,
    success: { status: 202, schema: exportSchema, found: 200 },
    errors: [
      'not_found',
      'report_project_mismatch',
      'policy_not_registered',
      'hash_mismatch',
      'budget_exceeded',
      'storage_unavailable',
    ],
    idempotent: true,
  }),
  defineOperation({
    id: 'list_certification_keys',
    method: 'GET',
    path: '/v1/certification/keys',
    tag,
    summary: 'List the public keys that the tenant’s bundles are and were signed by',
    role: 'viewer',
    success: { status: 200, schema: z.strictObject({ items: z.array(signingKeySchema) }) },
  }),
  defineOperation({
    id: 'rotate_certification_key',
    method: 'POST',
    path: '/v1/certification/keys/rotate',
    tag,
    summary: 'Replace the key that the tenant’s bundles are signed by',
    description:
      'The private half of the old key is destroyed; its public half stays listed, so that what it signed verifies as before.',
    role: 'admin',
    success: { status: 201, schema: signingKeySchema },
    errors: ['conflict', 'output_unwritable'],
    idempotent: true,
  }),
] as const satisfies readonly Operation[];
