// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type {
  CreateCertificationPolicyInput,
  DiffCertificationPoliciesInput,
  DryRunCertificationPolicyInput,
  ExportCertificationInput,
  GetCertificationReportInput,
  ImportCertificationReportInput,
  ListCertificationKeysAnswer,
  ListCertificationPoliciesInput,
} from '../types/certification-calls.ts';
import type {
  CertificationDryRun,
  CertificationPolicyDifference,
  CertificationReport,
  SavedCertificationPolicy,
  SigningKey,
} from '../types/certification.ts';
import type { Export, Page } from '../types/shared.ts';

export const certification = ({ call }: Calls) => ({
  /**
   * List the versions of a project’s certification policy, newest first.
   *
   * A version never changes. Before the first is saved the default policy of the project’s target
   * profile is in effect, without a version.
   *
   * Needs the role `viewer`.
   */
  listPolicies: (
    input: ListCertificationPoliciesInput,
    options?: CallOptions,
  ): Promise<Page<SavedCertificationPolicy>> => call('list_certification_policies', input, options),

  /**
   * Save a new version of a project’s certification policy.
   *
   * The service assigns the next version, also to two that are saved at once. The hash of the policy
   * goes into the audit log.
   *
   * Needs the role `reviewer`.
   */
  createPolicy: (
    input: CreateCertificationPolicyInput,
    options?: CallOptions,
  ): Promise<SavedCertificationPolicy> => call('create_certification_policy', input, options),

  /**
   * Compare two versions of a project’s policy.
   *
   * Needs the role `viewer`.
   */
  diffPolicies: (
    input: DiffCertificationPoliciesInput,
    options?: CallOptions,
  ): Promise<CertificationPolicyDifference> => call('diff_certification_policies', input, options),

  /**
   * Preview what a policy would change, without saving it.
   *
   * Holds the project’s episodes against the policy in effect and against this one.
   *
   * Needs the role `viewer`.
   */
  dryRunPolicy: (
    input: DryRunCertificationPolicyInput,
    options?: CallOptions,
  ): Promise<CertificationDryRun> => call('dry_run_certification_policy', input, options),

  /**
   * Get the certification report of a project’s episodes as they are now.
   *
   * The same evidence and policy give the same bytes; the entity tag is the hash of both. A report over
   * more episodes than a request may wait for is read from the bundle that `POST …/export` seals.
   *
   * Needs the role `viewer`.
   */
  getReport: (input: GetCertificationReportInput, options?: CallOptions): Promise<CertificationReport> =>
    call('get_certification_report', input, options),

  /**
   * Seal report, policy and receipts into a bundle among the project’s exports.
   *
   * The bundle is made in the background, signed with the tenant’s key, and downloaded as any export:
   * `GET …/exports/{export_id}/download?as=zip` is the bundle that `assay verify` takes. It holds no
   * media. The same evidence under the same policy is sealed once. A default policy that nobody has
   * saved is saved as the next version.
   *
   * Needs the role `reviewer`.
   */
  export: (input: ExportCertificationInput, options?: CallOptions): Promise<Export> =>
    call('export_certification', input, options),

  /**
   * Seal a report that was made elsewhere into a bundle.
   *
   * Takes the `report.json` that `assay certify --project` wrote. Its project must be this one, its
   * policy one of this project’s versions, and its content what its hash says. The bundle’s manifest
   * says `local_report_import`: nothing here has measured it.
   *
   * Needs the role `admin`.
   */
  importReport: (input: ImportCertificationReportInput, options?: CallOptions): Promise<Export> =>
    call('import_certification_report', input, options),

  /**
   * List the public keys that the tenant’s bundles are and were signed by.
   *
   * Needs the role `viewer`.
   */
  listKeys: (options?: CallOptions): Promise<ListCertificationKeysAnswer> =>
    call('list_certification_keys', {}, options),

  /**
   * Replace the key that the tenant’s bundles are signed by.
   *
   * The private half of the old key is destroyed; its public half stays listed, so that what it signed
   * verifies as before.
   *
   * Needs the role `admin`.
   */
  rotateKey: (options?: CallOptions): Promise<SigningKey> => call('rotate_certification_key', {}, options),
});
