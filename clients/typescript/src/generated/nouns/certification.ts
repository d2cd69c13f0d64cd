// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type {
  CreateCertificationPolicyInput,
  DiffCertificationPoliciesInput,
  DryRunCertificationPolicyInput,
  ExportCertificationInput,
  GetCertificationPolicyInput,
  GetCertificationReportInput,
  GetDefaultCertificationPolicyInput,
  ImportCertificationReportInput,
  ListCertificationDecisionsInput,
  ListCertificationKeysAnswer,
  ListCertificationPoliciesInput,
} from '../types/certification-calls.ts';
import type {
  CertificationDryRun,
  CertificationListedDecision,
  CertificationPolicy,
  CertificationPolicyDifference,
  CertificationReportAnswer,
  SavedCertificationPolicy,
  SigningKey,
} from '../types/certification.ts';
import type { Export, Page } from '../types/shared.ts';

export const certification = ({ call }: Calls) => ({
  /**
   * List the versions of a project’s certification policy, newest first.
   *
   * Versions are immutable. Until one is saved, the default policy of the project’s target profile
   * applies; it has no version.
   *
   * Requires the role `viewer` or higher.
   */
  listPolicies: (
    input: ListCertificationPoliciesInput,
    options?: CallOptions,
  ): Promise<Page<SavedCertificationPolicy>> => call('list_certification_policies', input, options),

  /**
   * Save a new version of a project’s certification policy.
   *
   * The service assigns the next version number; concurrent saves get different versions. The policy
   * hash is recorded in the audit log.
   *
   * Requires the role `reviewer` or higher.
   */
  createPolicy: (
    input: CreateCertificationPolicyInput,
    options?: CallOptions,
  ): Promise<SavedCertificationPolicy> => call('create_certification_policy', input, options),

  /**
   * Get the default policy of a training target.
   *
   * Applies to a project until a policy is saved. It has no version, and can be sent as a new policy
   * once changed.
   *
   * Requires the role `viewer` or higher.
   */
  getDefaultPolicy: (
    input: GetDefaultCertificationPolicyInput,
    options?: CallOptions,
  ): Promise<CertificationPolicy> => call('get_default_certification_policy', input, options),

  /**
   * Get one version of a project’s certification policy.
   *
   * Requires the role `viewer` or higher.
   */
  getPolicy: (input: GetCertificationPolicyInput, options?: CallOptions): Promise<SavedCertificationPolicy> =>
    call('get_certification_policy', input, options),

  /**
   * Compare two versions of a project’s certification policy.
   *
   * Requires the role `viewer` or higher.
   */
  diffPolicies: (
    input: DiffCertificationPoliciesInput,
    options?: CallOptions,
  ): Promise<CertificationPolicyDifference> => call('diff_certification_policies', input, options),

  /**
   * Preview the effect of a policy without saving it.
   *
   * Evaluates the project’s episodes under the current policy and under the policy sent.
   *
   * Requires the role `viewer` or higher.
   */
  dryRunPolicy: (
    input: DryRunCertificationPolicyInput,
    options?: CallOptions,
  ): Promise<CertificationDryRun> => call('dry_run_certification_policy', input, options),

  /**
   * Get a project’s current certification report.
   *
   * The same evidence and policy always give the same bytes; the `ETag` is a hash of both. For projects
   * with too many episodes to certify within one request, returns the report of the bundle created by
   * `POST …/export`. `detail=summary` leaves out the decisions and episodes; page through the decisions
   * with `GET …/report/decisions`.
   *
   * Requires the role `viewer` or higher.
   */
  getReport: (
    input: GetCertificationReportInput,
    options?: CallOptions,
  ): Promise<CertificationReportAnswer> => call('get_certification_report', input, options),

  /**
   * List the decisions of a project’s current certification report.
   *
   * By metric in the order of the report, then by episode. A cursor is valid only as long as the report
   * is unchanged.
   *
   * Requires the role `viewer` or higher.
   */
  listDecisions: (
    input: ListCertificationDecisionsInput,
    options?: CallOptions,
  ): Promise<Page<CertificationListedDecision>> => call('list_certification_decisions', input, options),

  /**
   * Export a signed bundle with report, policy and receipts.
   *
   * The bundle is created in the background, signed with the tenant’s key, and listed among the
   * project’s exports. Download it with `GET …/exports/{export_id}/download?as=zip` and check it with
   * `assay verify`. It contains no media. Repeating the request for the same evidence and policy returns
   * the existing bundle. If no policy has been saved, the default policy is saved as a new version.
   *
   * Requires the role `reviewer` or higher.
   */
  export: (input: ExportCertificationInput, options?: CallOptions): Promise<Export> =>
    call('export_certification', input, options),

  /**
   * Import a locally created report as a signed bundle.
   *
   * Accepts the `report.json` written by `assay certify --project`. Its project id must match, its
   * policy must be a saved version of this project, and its content hash must be valid. Verdicts,
   * coverage and all other values that follow from its decisions and the policy are recomputed; the
   * first one that differs is answered with 422 and its JSON pointer. The bundle’s manifest has the
   * origin `local_report_import`, because this service did not measure the data: it contains no
   * receipts, and its page says that it was imported.
   *
   * Requires the role `admin` or higher.
   */
  importReport: (input: ImportCertificationReportInput, options?: CallOptions): Promise<Export> =>
    call('import_certification_report', input, options),

  /**
   * List the tenant’s public signing keys, current and former.
   *
   * Requires the role `viewer` or higher.
   */
  listKeys: (options?: CallOptions): Promise<ListCertificationKeysAnswer> =>
    call('list_certification_keys', {}, options),

  /**
   * Rotate the tenant’s signing key.
   *
   * The old private key is destroyed. Its public key stays listed, so existing bundles can still be
   * verified.
   *
   * Requires the role `admin` or higher.
   */
  rotateKey: (options?: CallOptions): Promise<SigningKey> => call('rotate_certification_key', {}, options),
});
