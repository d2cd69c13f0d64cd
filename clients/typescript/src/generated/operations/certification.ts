// Written by `npm run generate` from src/core/api. Change it there.
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

export interface CertificationOperations {
  list_certification_policies: {
    input: ListCertificationPoliciesInput;
    answer: Page<SavedCertificationPolicy>;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  create_certification_policy: {
    input: CreateCertificationPolicyInput;
    answer: SavedCertificationPolicy;
    error:
      | 'forbidden'
      | 'idempotency_conflict'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  get_default_certification_policy: {
    input: GetDefaultCertificationPolicyInput;
    answer: CertificationPolicy;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  get_certification_policy: {
    input: GetCertificationPolicyInput;
    answer: SavedCertificationPolicy;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  diff_certification_policies: {
    input: DiffCertificationPoliciesInput;
    answer: CertificationPolicyDifference;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  dry_run_certification_policy: {
    input: DryRunCertificationPolicyInput;
    answer: CertificationDryRun;
    error:
      | 'limit_exceeded'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  get_certification_report: {
    input: GetCertificationReportInput;
    answer: CertificationReportAnswer;
    error: 'limit_exceeded' | 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  list_certification_decisions: {
    input: ListCertificationDecisionsInput;
    answer: Page<CertificationListedDecision>;
    error: 'limit_exceeded' | 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  export_certification: {
    input: ExportCertificationInput;
    answer: Export;
    error:
      | 'budget_exceeded'
      | 'forbidden'
      | 'idempotency_conflict'
      | 'not_found'
      | 'not_ready'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  import_certification_report: {
    input: ImportCertificationReportInput;
    answer: Export;
    error:
      | 'budget_exceeded'
      | 'forbidden'
      | 'hash_mismatch'
      | 'idempotency_conflict'
      | 'not_found'
      | 'payload_too_large'
      | 'policy_not_registered'
      | 'rate_limited'
      | 'report_project_mismatch'
      | 'unauthenticated'
      | 'unsupported_media_type'
      | 'verification_failed';
  };
  list_certification_keys: {
    input: Record<never, never>;
    answer: ListCertificationKeysAnswer;
    error: 'rate_limited' | 'unauthenticated';
  };
  rotate_certification_key: {
    input: Record<never, never>;
    answer: SigningKey;
    error:
      | 'conflict'
      | 'forbidden'
      | 'idempotency_conflict'
      | 'output_unwritable'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
}
