// Written by `npm run generate` from src/core/api. Change it there.
import type { CertificationPolicyInput, CertificationReport, SigningKey } from './certification.ts';

export interface ListCertificationPoliciesInput {
  readonly project_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export type CreateCertificationPolicyInput = {
  readonly project_id: string;
} & CertificationPolicyInput;

export interface DiffCertificationPoliciesInput {
  readonly project_id: string;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export type DryRunCertificationPolicyInput = {
  readonly project_id: string;
} & CertificationPolicyInput;

export interface GetCertificationReportInput {
  readonly project_id: string;
  readonly policy_version?: number | undefined;
}

export interface ExportCertificationInput {
  readonly project_id: string;
  readonly policy_version?: number | undefined;
}

export type ImportCertificationReportInput = {
  readonly project_id: string;
} & CertificationReport;

/** What `list_certification_keys` answers. */
export interface ListCertificationKeysAnswer {
  readonly items: readonly SigningKey[];
}
