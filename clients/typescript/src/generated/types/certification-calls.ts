// Written by `npm run generate` from src/core/api. Change it there.
import type { CertificationPolicyInput, CertificationReport, SigningKey } from './certification.ts';
import type { TargetProfileId } from './shared.ts';

export interface ListCertificationPoliciesInput {
  readonly project_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export type CreateCertificationPolicyInput = {
  readonly project_id: string;
} & CertificationPolicyInput;

export interface GetDefaultCertificationPolicyInput {
  readonly project_id: string;
  readonly target?: TargetProfileId | undefined;
}

export interface GetCertificationPolicyInput {
  readonly project_id: string;
  readonly policy_version: number;
}

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
  readonly detail?: 'full' | 'summary' | undefined;
}

export interface ListCertificationDecisionsInput {
  readonly project_id: string;
  readonly policy_version?: number | undefined;
  readonly metric?:
    | 'format.loadable'
    | 'timeline.monotonic'
    | 'timeline.gap_ratio'
    | 'timeline.jitter'
    | 'sync.overlap'
    | 'sync.content_lag'
    | 'kinematics.violations'
    | 'kinematics.frozen_ratio'
    | 'action.saturation'
    | 'gripper.convention'
    | 'calibration.drift'
    | 'camera.coverage'
    | 'camera.frozen_frames'
    | 'image.decodable'
    | 'image.blur'
    | 'image.exposure'
    | 'image.duplicates'
    | 'stereo.reprojection'
    | 'language.instruction_present'
    | 'language.caption_coverage'
    | 'language.caption_boundaries'
    | 'language.caption_video_agreement'
    | 'annotation.coverage'
    | 'split.leakage'
    | undefined;
  readonly verdict?: 'certified' | 'review_required' | 'not_ready' | 'not_assessable' | undefined;
  readonly episode?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
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
