// Written by `npm run generate` from src/core/api. Change it there.
import type {
  ComputeEstimate,
  JsonValue,
  Kind,
  LayerId,
  ModelSurfaceId,
  TargetProfileId,
  UseCaseId,
} from './shared.ts';

export interface AnnotationCoverage {
  readonly project_id: string;
  readonly layers: readonly {
    readonly layer: LayerId;
    readonly quality_signal: string;
    readonly kinds: readonly {
      readonly kind: Kind;
      readonly applicable: boolean;
      readonly reason: string | null;
      readonly episodes: number;
      readonly covered: number;
      readonly not_produced: number;
      readonly coverage: number | null;
      readonly quality: number | null;
      readonly quality_reason: string | null;
      readonly assessed: number;
    }[];
  }[];
}

export interface AnnotationSettings {
  readonly project_id: string;
  readonly workspace_id: string;
  readonly use_case: UseCaseId;
  readonly target_profile: TargetProfileId;
  readonly data_kind: Kind | null;
  readonly layers: readonly {
    readonly id: LayerId;
    readonly title: string;
    readonly produces: string;
    readonly kinds: readonly Kind[];
    readonly surfaces: readonly ModelSurfaceId[];
    readonly quality: {
      readonly signal: string;
      readonly how: string;
    };
    readonly export_formats: readonly (
      | 'lerobot-v3'
      | 'lerobot-v2.1'
      | 'webdataset'
      | 'coco-detection'
      | 'image-folder'
      | 'zarr-replay-buffer'
      | 'mcap'
    )[];
    readonly servable: boolean;
    readonly offered_modes: readonly LayerMode[];
    readonly mode: LayerMode;
    readonly mode_from: 'project' | 'workspace' | 'default' | 'pinned';
    readonly mode_reason: string;
    readonly asked_mode: LayerMode | null;
    readonly applicable: boolean;
    readonly inapplicable_reason: string | null;
    readonly applicable_episodes: number;
    readonly runs: boolean;
    readonly knobs: readonly {
      readonly id: string;
      readonly type: 'number' | 'integer' | 'choice' | 'flag' | 'names';
      readonly summary: string;
      readonly moves_cost: boolean;
      readonly default: number | boolean | string | readonly string[];
      readonly value: number | boolean | string | readonly string[];
      readonly from: 'project' | 'workspace' | 'default';
      readonly minimum?: number | undefined;
      readonly maximum?: number | undefined;
      readonly unit?: string | null | undefined;
      readonly values?: readonly string[] | undefined;
    }[];
  }[];
  readonly models: readonly ModelSurface[];
  readonly presets: readonly {
    readonly id:
      | 'readiness-only'
      | 'manipulation-qc'
      | 'egocentric-full'
      | 'drive-log-lite'
      | 'world-model'
      | 'everything';
    readonly title: string;
    readonly summary: string;
    readonly modes: Readonly<Partial<Record<LayerId, LayerMode>>>;
    readonly offered: boolean;
    readonly disabled: boolean;
    readonly reason: string | null;
  }[];
  readonly cost_preview: {
    readonly layers: readonly {
      readonly layer: LayerId;
      readonly episodes: number;
      readonly compute_s_per_episode: number;
      readonly usd_per_episode: number;
      readonly estimate: ComputeEstimate;
      readonly basis: 'measured' | 'planned';
    }[];
    readonly episodes: number;
    readonly per_episode_usd: number;
    readonly projected_usd: number;
  };
  readonly workspace_modes: Readonly<Partial<Record<LayerId, LayerMode>>>;
  readonly project_modes: Readonly<Partial<Record<LayerId, LayerMode>>>;
  readonly workspace_config: Readonly<
    Partial<Record<LayerId, Readonly<Record<string, number | boolean | string | readonly string[]>>>>
  >;
  readonly project_config: Readonly<
    Partial<Record<LayerId, Readonly<Record<string, number | boolean | string | readonly string[]>>>>
  >;
  readonly project_models: Readonly<Partial<Record<ModelSurfaceId, string>>>;
  readonly adjusted: readonly {
    readonly pointer: string;
    readonly asked: JsonValue;
    readonly stored: number | boolean | string | readonly string[] | null;
    readonly reason: string;
  }[];
}

export type AnnotationStatus = {
  readonly project_id: string;
  readonly episodes: number;
  readonly last_run: {
    readonly id: string;
    readonly finished_at: string;
  } | null;
  readonly layers: readonly {
    readonly layer: LayerId;
    readonly state: 'ran' | 'partial' | 'on_demand' | 'off' | 'inapplicable' | 'planned';
    readonly reason: string;
    readonly mode: LayerMode;
    readonly covered_episodes: number;
    readonly not_produced_episodes: number;
    readonly applicable_episodes: number;
    readonly ran_in_last_run: boolean;
    readonly available: boolean;
    readonly unavailable_reason: string | null;
    readonly job_id: string | null;
  }[];
};

export type LayerMode = 'in_run' | 'on_demand' | 'off';

export interface ModelRegistry {
  readonly items: readonly ModelSurface[];
  readonly tenant_models: Readonly<Partial<Record<ModelSurfaceId, string>>>;
}

export type ModelSurface = {
  readonly id: ModelSurfaceId;
  readonly title: string;
  readonly selectable: boolean;
  readonly chosen: {
    readonly model: string;
    readonly from: 'default' | 'use_case' | 'tenant' | 'project' | 'environment';
    readonly passed_over: string | null;
    readonly missing: string | null;
  };
  readonly options: readonly {
    readonly id: string;
    readonly title: string;
    readonly licence: string;
    readonly evidence: readonly {
      readonly benchmark: string;
      readonly metric: string;
      readonly score: number;
      readonly unit: 'percent' | 'ratio' | 'px' | 'mm';
      readonly source: 'own' | 'secondary' | 'measured';
      readonly note: string | null;
    }[];
    readonly no_evidence: string | null;
    readonly runtime: 'onnx' | 'tfjs' | 'algorithm' | 'endpoint' | 'bundled';
    readonly needs_consent: string | null;
    readonly installed:
      | 'bundled'
      | 'installed'
      | 'files_present'
      | 'unusable'
      | 'absent'
      | 'no_weights_needed'
      | 'endpoint';
    readonly weights?:
      | {
          readonly folder: string;
          readonly fault: string | null;
          readonly source: {
            readonly repository: string;
            readonly revision: string;
          } | null;
          readonly files: readonly {
            readonly path: string;
            readonly bytes: number | null;
            readonly sha256: string | null;
            readonly present: boolean;
          }[];
        }
      | undefined;
  }[];
  readonly rejected: readonly {
    readonly id: string;
    readonly title: string;
    readonly licence: string;
    readonly evidence: readonly {
      readonly benchmark: string;
      readonly metric: string;
      readonly score: number;
      readonly unit: 'percent' | 'ratio' | 'px' | 'mm';
      readonly source: 'own' | 'secondary' | 'measured';
      readonly note: string | null;
    }[];
    readonly no_evidence: string | null;
    readonly reason: string;
  }[];
};

export interface WorkspaceAnnotationSettings {
  readonly workspace_id: string;
  readonly workspace_modes: Readonly<Partial<Record<LayerId, LayerMode>>>;
  readonly workspace_config: Readonly<
    Partial<Record<LayerId, Readonly<Record<string, number | boolean | string | readonly string[]>>>>
  >;
  readonly adjusted: readonly {
    readonly pointer: string;
    readonly asked: JsonValue;
    readonly stored: number | boolean | string | readonly string[] | null;
    readonly reason: string;
  }[];
}
