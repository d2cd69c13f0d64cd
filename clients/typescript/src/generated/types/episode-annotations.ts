// Written by `npm run generate` from src/core/api. Change it there.
import type { JobLayerId, JsonValue, ModelSurfaceId } from './shared.ts';

export interface Annotation {
  readonly id: string;
  readonly project_id: string;
  readonly episode_id: string;
  readonly layer: JobLayerId;
  readonly job_id: string;
  readonly run_id: string | null;
  readonly model: string | null;
  readonly models: readonly {
    readonly surface: ModelSurfaceId;
    readonly model: string;
    readonly runtime: 'onnx' | 'tfjs' | 'algorithm' | 'endpoint';
    readonly device: 'cpu' | 'gpu' | null;
    readonly files: readonly {
      readonly name: string;
      readonly sha256: string;
    }[];
  }[];
  readonly config_hash: string;
  readonly input_hash: string;
  readonly artifact_hash: string;
  readonly media_type: string;
  readonly bytes: number;
  readonly parts: readonly {
    readonly name: string;
    readonly media_type: string;
    readonly bytes: number;
    readonly hash: string;
  }[];
  readonly counts: Readonly<Record<string, number>>;
  readonly not_produced: string | null;
  readonly quality: {
    readonly signal: string;
    readonly value: number | null;
    readonly reason: string | null;
  };
  readonly compute_s: number;
  readonly device: 'cpu' | 'gpu';
  readonly cost_usd: number;
  readonly produced_at: string;
  readonly artifact: Readonly<Record<string, JsonValue>> | null;
}

export interface AnnotationEdit {
  readonly id: string;
  readonly text: string;
  readonly artifact_hash: string | null;
  readonly created_by: string;
  readonly created_at: string;
}

export interface EpisodeAnnotation {
  readonly episode_id: string;
  readonly layer: JobLayerId;
  readonly machine: Annotation | null;
  readonly edit: AnnotationEdit | null;
}

export type EpisodeAnnotationSummary = {
  readonly episode_id: string;
  readonly layer: JobLayerId;
  readonly machine: {
    readonly id: string;
    readonly project_id: string;
    readonly episode_id: string;
    readonly layer: JobLayerId;
    readonly job_id: string;
    readonly run_id: string | null;
    readonly model: string | null;
    readonly models: readonly {
      readonly surface: ModelSurfaceId;
      readonly model: string;
      readonly runtime: 'onnx' | 'tfjs' | 'algorithm' | 'endpoint';
      readonly device: 'cpu' | 'gpu' | null;
      readonly files: readonly {
        readonly name: string;
        readonly sha256: string;
      }[];
    }[];
    readonly config_hash: string;
    readonly input_hash: string;
    readonly artifact_hash: string;
    readonly media_type: string;
    readonly bytes: number;
    readonly parts: readonly {
      readonly name: string;
      readonly media_type: string;
      readonly bytes: number;
      readonly hash: string;
    }[];
    readonly counts: Readonly<Record<string, number>>;
    readonly not_produced: string | null;
    readonly quality: {
      readonly signal: string;
      readonly value: number | null;
      readonly reason: string | null;
    };
    readonly compute_s: number;
    readonly device: 'cpu' | 'gpu';
    readonly cost_usd: number;
    readonly produced_at: string;
  } | null;
  readonly edited: {
    readonly created_by: string;
    readonly created_at: string;
  } | null;
  readonly links: {
    readonly annotation: string;
  };
};
