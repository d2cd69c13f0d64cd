import { z } from 'zod';
import { certificationMetricIds, certificationVerdicts } from '../bounds/index.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { idSchema, maxVersion, pageOf, pageQuery } from '../primitives.ts';
import {
  dryRunSchema,
  policyDifferenceSchema,
  savedPolicySchema,
  signingKeySchema,
} from '../schemas/certification.ts';
import {
  certificationPolicyInputSchema,
  certificationPolicySchema,
} from '../schemas/certification-policy.ts';
import {
  certificationReportSchema,
  certificationSummarySchema,
  listedDecisionSchema,
} from '../schemas/certification-report.ts';
import { exportSchema } from '../schemas/exports.ts';
import { targetProfileIdSchema } from '../schemas/use-cases.ts';

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
      'Versions are immutable. Until one is saved, the default policy of the project’s target profile applies; it has no version.',
    role: 'viewer',
    params,
    query: z.strictObject({ ...pageQuery }),
    success: { status: 200, schema: pageOf(savedPolicySchema) },
    errors: ['not_found'],
    conditional: true,
  }),
  defineOperation({
    id: 'get_default_certification_policy',
    method: 'GET',
    path: `${base}/policies/default`,
    tag,
    summary: 'Get the default policy of a training target',
    description:
      'Applies to a project until a policy is saved. It has no version, and can be sent as a new policy once changed.',
    role: 'viewer',
    params,
    query: z.strictObject({
      /** Training target; absent for the project’s target profile. */
      target: targetProfileIdSchema.optional(),
    }),
    success: { status: 200, schema: certificationPolicySchema },
    errors: ['not_found'],
    conditional: true,
  }),
  defineOperation({
    id: 'get_certification_policy',
    method: 'GET',
    path: `${base}/policies/versions/{policy_version}`,
    tag,
    summary: 'Get one version of a project’s certification policy',
    role: 'viewer',
    params: params.extend({ policy_version: version }),
    success: { status: 200, schema: savedPolicySchema },
    errors: ['not_found'],
    conditional: true,
  }),
  defineOperation({
    id: 'create_certification_policy',
    method: 'POST',
    path: `${base}/policies`,
    tag,
    summary: 'Save a new version of a project’s certification policy',
    description:
      'The service assigns the next version number; concurrent saves get different versions. The policy hash is recorded in the audit log.',
    role: 'reviewer',
    params,
    body: certificationPolicyInputSchema,
    success: {
      status: 201,
      schema: savedPolicySchema,
      location: '/v1/projects/{project_id}/certification/policies/versions/{policy_version}',
      located_by: ['policy', 'version'],
    },
    errors: ['not_found'],
    idempotent: true,
  }),
  defineOperation({
    id: 'diff_certification_policies',
    method: 'GET',
    path: `${base}/policies/diff`,
    tag,
    summary: 'Compare two versions of a project’s certification policy',
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
    conditional: true,
  }),
  defineOperation({
    id: 'dry_run_certification_policy',
    method: 'POST',
    path: `${base}/policies/dry-run`,
    tag,
    summary: 'Preview the effect of a policy without saving it',
    description: 'Evaluates the project’s episodes under the current policy and under the policy sent.',
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
    summary: 'Get a project’s current certification report',
    description:
      'The same evidence and policy always give the same bytes; the `ETag` is a hash of both. For projects with too many episodes to certify within one request, returns the report of the bundle created by `POST …/export`. `detail=summary` leaves out the decisions and episodes; page through the decisions with `GET …/report/decisions`.',
    role: 'viewer',
    params,
    query: query.extend({
      /** `full` for the report as it is signed, `summary` for the report without decisions and episodes. */
      detail: z.enum(['full', 'summary']).default('full'),
    }),
    success: {
      status: 200,
      content_type: 'application/json',
      schema: z
        .union([certificationReportSchema, certificationSummarySchema])
        .meta({ id: 'CertificationReportAnswer' }),
    },
    errors: ['not_found', 'limit_exceeded', 'storage_unavailable'],
    conditional: true,
  }),
  defineOperation({
    id: 'list_certification_decisions',
    method: 'GET',
    path: `${base}/report/decisions`,
    tag,
    summary: 'List the decisions of a project’s current certification report',
    description:
      'By metric in the order of the report, then by episode. A cursor is valid only as long as the report is unchanged.',
    role: 'viewer',
    params,
    query: query.extend({
      metric: z.enum(certificationMetricIds).optional(),
      verdict: z.enum(certificationVerdicts).optional(),
      /** Id of an episode as in the report. */
      episode: z.string().max(1000).optional(),
      ...pageQuery,
    }),
    success: { status: 200, schema: pageOf(listedDecisionSchema) },
    errors: ['not_found', 'limit_exceeded', 'storage_unavailable'],
    conditional: true,
  }),
  defineOperation({
    id: 'export_certification',
    method: 'POST',
    path: `${base}/export`,
    tag,
    summary: 'Export a signed bundle with report, policy and receipts',
    description:
      'The bundle is created in the background, signed with the tenant’s key, and listed among the project’s exports. Download it with `GET …/exports/{export_id}/download?as=zip` and check it with `assay verify`. It contains no media. Repeating the request for the same evidence and policy returns the existing bundle. If no policy has been saved, the default policy is saved as a new version.',
    role: 'reviewer',
    params,
    query,
    success: {
      status: 202,
      schema: exportSchema,
      found: 200,
      location: '/v1/projects/{project_id}/exports/{export_id}',
    },
    errors: ['not_found', 'not_ready', 'budget_exceeded'],
    idempotent: true,
  }),
  defineOperation({
    id: 'import_certification_report',
    method: 'POST',
    path: `${base}/import`,
    tag,
    summary: 'Import a locally created report as a signed bundle',
    description:
      'Accepts the `report.json` written by `assay certify --project`. Its project id must match, its policy must be a saved version of this project, and its content hash must be valid. Verdicts, coverage and all other values that follow from its decisions and the policy are recomputed; the first one that differs is answered with 422 and its JSON pointer. The bundle’s manifest has the origin `local_report_import`, because this service did not measure the data: it contains no receipts, and its page says that it was imported.',
    role: 'admin',
    params,
    body: certificationReportSchema,
    success: {
      status: 202,
      schema: exportSchema,
      found: 200,
      location: '/v1/projects/{project_id}/exports/{export_id}',
    },
    errors: [
      'not_found',
      'report_project_mismatch',
      'policy_not_registered',
      'hash_mismatch',
      'verification_failed',
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
    summary: 'List the tenant’s public signing keys, current and former',
    role: 'viewer',
    success: { status: 200, schema: z.strictObject({ items: z.array(signingKeySchema) }) },
  }),
  defineOperation({
    id: 'rotate_certification_key',
    method: 'POST',
    path: '/v1/certification/keys/rotate',
    tag,
    summary: 'Rotate the tenant’s signing key',
    description:
      'The old private key is destroyed. Its public key stays listed, so existing bundles can still be verified.',
    role: 'admin',
    success: { status: 201, schema: signingKeySchema },
    errors: ['conflict', 'output_unwritable'],
    idempotent: true,
  }),
] as const satisfies readonly Operation[];
