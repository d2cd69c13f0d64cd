// Written by `npm run generate` from src/core/api. Change it there.
import type { JsonValue, TargetProfileId } from './shared.ts';

export interface CertificationBounds {
  readonly metric:
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
    | 'split.leakage';
  readonly need: 'required' | 'if_present' | 'advisory';
  readonly unit: string;
  readonly direction: 'lower_is_better' | 'higher_is_better';
  readonly ideal: number;
  readonly review: number;
  readonly allowed_share: number;
  readonly source: string;
}

export type CertificationDecision =
  | {
      readonly episode: string;
      readonly applicability: 'applicable';
      readonly verdict: 'certified' | 'review_required' | 'not_ready';
      readonly observed: number;
      readonly confidence: 'high' | 'medium' | 'low';
      readonly inputs: Readonly<Record<string, JsonValue>>;
      readonly provenance: string;
      readonly diagnostics?: Readonly<Record<string, JsonValue>> | undefined;
    }
  | {
      readonly episode: string;
      readonly applicability: 'not_assessable';
      readonly verdict: 'not_assessable';
      readonly reason: string;
    };

export interface CertificationDryRun {
  readonly before: {
    readonly verdict: 'certified' | 'review_required' | 'not_ready' | 'not_assessable';
    readonly coverage: number | null;
  };
  readonly after: {
    readonly verdict: 'certified' | 'review_required' | 'not_ready' | 'not_assessable';
    readonly coverage: number | null;
  };
  readonly episodes: number;
  readonly changed: number;
  readonly changes: readonly {
    readonly episode: string;
    readonly before: 'certified' | 'review_required' | 'not_ready' | 'not_assessable';
    readonly after: 'certified' | 'review_required' | 'not_ready' | 'not_assessable';
  }[];
}

export type CertificationListedDecision =
  | {
      readonly episode: string;
      readonly applicability: 'applicable';
      readonly verdict: 'certified' | 'review_required' | 'not_ready';
      readonly observed: number;
      readonly confidence: 'high' | 'medium' | 'low';
      readonly inputs: Readonly<Record<string, JsonValue>>;
      readonly provenance: string;
      readonly diagnostics?: Readonly<Record<string, JsonValue>> | undefined;
      readonly metric:
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
        | 'split.leakage';
    }
  | {
      readonly episode: string;
      readonly applicability: 'not_assessable';
      readonly verdict: 'not_assessable';
      readonly reason: string;
      readonly metric:
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
        | 'split.leakage';
    };

export type CertificationMetric = {
  readonly metric:
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
    | 'split.leakage';
  readonly need: 'required' | 'if_present' | 'advisory';
  readonly unit: string;
  readonly direction: 'lower_is_better' | 'higher_is_better';
  readonly ideal: number;
  readonly review: number;
  readonly allowed_share: number;
  readonly source: string;
  readonly title: string;
  readonly formula: string;
  readonly inputs: string;
  readonly verdict: 'certified' | 'review_required' | 'not_ready' | 'not_assessable';
  readonly reason: string;
  readonly counts: {
    readonly certified: number;
    readonly review_required: number;
    readonly not_ready: number;
    readonly not_assessable: number;
  };
  readonly observed: {
    readonly minimum: number;
    readonly median: number;
    readonly maximum: number;
  } | null;
  readonly decisions: readonly CertificationDecision[];
  readonly diagnostics: readonly string[];
};

export type CertificationMetricSummary = {
  readonly metric:
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
    | 'split.leakage';
  readonly need: 'required' | 'if_present' | 'advisory';
  readonly unit: string;
  readonly direction: 'lower_is_better' | 'higher_is_better';
  readonly ideal: number;
  readonly review: number;
  readonly allowed_share: number;
  readonly source: string;
  readonly title: string;
  readonly formula: string;
  readonly inputs: string;
  readonly verdict: 'certified' | 'review_required' | 'not_ready' | 'not_assessable';
  readonly reason: string;
  readonly counts: {
    readonly certified: number;
    readonly review_required: number;
    readonly not_ready: number;
    readonly not_assessable: number;
  };
  readonly observed: {
    readonly minimum: number;
    readonly median: number;
    readonly maximum: number;
  } | null;
  readonly diagnostics: readonly string[];
};

export interface CertificationPolicy {
  readonly schema: 'assay/certification-policy/v1';
  readonly target: TargetProfileId;
  readonly metrics: readonly CertificationBounds[];
  readonly version: number | null;
  readonly policy_hash: string;
}

export type CertificationPolicyDifference = {
  readonly from: number | null;
  readonly to: number | null;
  readonly target: {
    readonly from: TargetProfileId;
    readonly to: TargetProfileId;
  } | null;
  readonly metrics: readonly {
    readonly metric:
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
      | 'split.leakage';
    readonly from: CertificationBounds | null;
    readonly to: CertificationBounds | null;
  }[];
};

export interface CertificationPolicyInput {
  readonly target: TargetProfileId;
  readonly metrics: readonly CertificationBounds[];
}

export interface CertificationReport {
  readonly schema: 'assay/certification-report/v2';
  readonly engine: {
    readonly name: 'assay';
    readonly version: string;
  };
  readonly canonicalisation: 'RFC8785';
  readonly project_id: string | null;
  readonly policy: {
    readonly target: TargetProfileId;
    readonly version: number | null;
    readonly policy_hash: string;
  };
  readonly dataset: {
    readonly formats: readonly string[];
    readonly episodes: number;
    readonly duration_s: number;
    readonly sources_sha256: string | null;
    readonly receipts_sha256: string;
  };
  readonly verdict: 'certified' | 'review_required' | 'not_ready' | 'not_assessable';
  readonly reason: string;
  readonly coverage: {
    readonly decisions: number;
    readonly of: number;
    readonly share: number | null;
  };
  readonly evidence: {
    readonly decisions: number;
    readonly of: number;
    readonly share: number | null;
  };
  readonly episodes: readonly {
    readonly id: string;
    readonly index: number;
    readonly receipt: string;
    readonly verdict: 'certified' | 'review_required' | 'not_ready' | 'not_assessable';
  }[];
  readonly metrics: readonly CertificationMetric[];
  readonly limits: readonly string[];
  readonly content_hash: string;
}

export type CertificationReportAnswer = CertificationReport | CertificationReportSummary;

export interface CertificationReportSummary {
  readonly schema: 'assay/certification-report-summary/v1';
  readonly engine: {
    readonly name: 'assay';
    readonly version: string;
  };
  readonly canonicalisation: 'RFC8785';
  readonly project_id: string | null;
  readonly policy: {
    readonly target: TargetProfileId;
    readonly version: number | null;
    readonly policy_hash: string;
  };
  readonly dataset: {
    readonly formats: readonly string[];
    readonly episodes: number;
    readonly duration_s: number;
    readonly sources_sha256: string | null;
    readonly receipts_sha256: string;
  };
  readonly verdict: 'certified' | 'review_required' | 'not_ready' | 'not_assessable';
  readonly reason: string;
  readonly coverage: {
    readonly decisions: number;
    readonly of: number;
    readonly share: number | null;
  };
  readonly evidence: {
    readonly decisions: number;
    readonly of: number;
    readonly share: number | null;
  };
  readonly metrics: readonly CertificationMetricSummary[];
  readonly limits: readonly string[];
  readonly content_hash: string;
  readonly episode_counts: {
    readonly certified: number;
    readonly review_required: number;
    readonly not_ready: number;
    readonly not_assessable: number;
  };
}

export interface SavedCertificationPolicy {
  readonly id: string;
  readonly project_id: string;
  readonly policy: {
    readonly schema: 'assay/certification-policy/v1';
    readonly target: TargetProfileId;
    readonly metrics: readonly CertificationBounds[];
    readonly version: number;
    readonly policy_hash: string;
  };
  readonly created_at: string;
  readonly created_by: string;
}

export interface SigningKey {
  readonly keyid: string;
  readonly algorithm: 'ed25519';
  readonly public_key: string;
  readonly place: 'local_file' | 'command';
  readonly valid_from: string;
  readonly valid_until: string | null;
}
