// Written by `npm run generate` from src/core/api. Change it there.
import type { Finding, Kind, LayerId } from './shared.ts';

export interface RunPlan {
  readonly source_id: string;
  readonly plan_hash: string;
  readonly settings: {
    readonly checks?:
      | Readonly<
          Record<
            string,
            {
              readonly enabled?: boolean | undefined;
              readonly threshold_offset?: number | undefined;
              readonly weight_factor?: number | undefined;
            }
          >
        >
      | undefined;
    readonly loaders?: readonly string[] | undefined;
  };
  readonly kind_override: Kind | null;
  readonly datasets: readonly {
    readonly path: string;
    readonly format: string;
    readonly version: string | null;
    readonly units: number;
    readonly episodes: number;
    readonly bytes: number;
    readonly cameras: readonly string[];
  }[];
  readonly steps: readonly {
    readonly id: 'look' | 'measure' | 'compare' | 'judge' | 'annotate';
    readonly title: string;
    readonly reads: string;
    readonly writes: string;
    readonly episodes: number;
    readonly bytes: number;
  }[];
  readonly layers: readonly LayerId[];
  readonly units: number;
  readonly episodes: number;
  readonly bytes: number;
  readonly estimate: {
    readonly compute_s: number;
    readonly low_s: number;
    readonly high_s: number;
    readonly cost_usd: number;
    readonly parts: readonly {
      readonly work:
        | 'readiness'
        | 'metadata'
        | 'captions'
        | 'segments'
        | 'object_labels'
        | 'dense_text'
        | 'hand_pose'
        | 'body_pose'
        | 'tracks'
        | 'segmentation'
        | 'depth'
        | 'optical_flow'
        | 'representation_3d';
      readonly compute_s: number;
      readonly low_s: number;
      readonly high_s: number;
      readonly basis: 'measured' | 'planned';
      readonly samples: number;
      readonly device: 'cpu' | 'gpu';
      readonly cost_usd: number;
    }[];
  };
  readonly findings: readonly Finding[];
}

export interface RunProgress {
  readonly run_id: string;
  readonly stage: 'look' | 'measure' | 'compare' | 'judge' | 'annotate' | 'done';
  readonly done: number;
  readonly total: number;
  readonly bytes_done: number;
  readonly bytes_total: number;
  readonly bytes_fetched: number;
  readonly episodes_per_s: number;
  readonly eta_s: number | null;
}
