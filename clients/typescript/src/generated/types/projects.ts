// Written by `npm run generate` from src/core/api. Change it there.
import type { Kind, TargetProfileId, UseCaseId } from './shared.ts';

export interface DataKind {
  readonly project_id: string;
  readonly effective: Kind | null;
  readonly from: 'pinned' | 'derived' | 'none';
  readonly pinned: Kind | null;
  readonly derived: Kind | null;
  readonly counts: readonly {
    readonly kind: Kind;
    readonly episodes: number;
  }[];
  readonly examples: readonly {
    readonly kind: Kind;
    readonly episode_id: string;
    readonly evidence: readonly string[];
  }[];
  readonly judged_as_another_kind: number;
  readonly notes: readonly string[];
}

export interface Project {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly use_case: UseCaseId;
  readonly target_profile: TargetProfileId;
  readonly target_profile_unfit: string | null;
  readonly data_kind: {
    readonly effective: Kind | null;
    readonly from: 'pinned' | 'derived' | 'none';
    readonly pinned: Kind | null;
    readonly derived: Kind | null;
    readonly counts: readonly {
      readonly kind: Kind;
      readonly episodes: number;
    }[];
  };
  readonly episodes: number;
  readonly decisions: {
    readonly accept: number;
    readonly review: number;
    readonly reject: number;
  };
  readonly reviewed: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface ProjectFormats {
  readonly project_id: string;
  readonly use_case: UseCaseId;
  readonly target_profile: TargetProfileId;
  readonly data_kind: Kind | null;
  readonly source_formats: readonly {
    readonly id: string;
    readonly title: string;
    readonly carries: string;
    readonly fits: boolean;
    readonly reason: string | null;
    readonly readable: boolean;
    readonly episodes: number;
  }[];
  readonly export_formats: readonly {
    readonly id:
      | 'lerobot-v3'
      | 'lerobot-v2.1'
      | 'webdataset'
      | 'coco-detection'
      | 'image-folder'
      | 'zarr-replay-buffer'
      | 'mcap';
    readonly title: string;
    readonly carries: string;
    readonly fits: boolean;
    readonly reason: string | null;
    readonly recommended: boolean;
  }[];
}
