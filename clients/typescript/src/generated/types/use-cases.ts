// Written by `npm run generate` from src/core/api. Change it there.
import type { Kind, TargetProfileId, UseCaseId } from './shared.ts';

export interface TargetProfile {
  readonly id: TargetProfileId;
  readonly title: string;
  readonly summary: string;
  readonly kinds: readonly Kind[];
  readonly pipeline_steps: readonly {
    readonly id:
      | 'read'
      | 'readiness'
      | 'action_space'
      | 'annotate'
      | 'deduplicate'
      | 'split'
      | 'statistics'
      | 'export';
    readonly layers: readonly string[];
    readonly why: string;
  }[];
  readonly export_format:
    | 'lerobot-v3'
    | 'lerobot-v2.1'
    | 'webdataset'
    | 'coco-detection'
    | 'image-folder'
    | 'zarr-replay-buffer'
    | 'mcap';
  readonly requirements: readonly {
    readonly id:
      | 'kind'
      | 'accepted_episodes'
      | 'actions'
      | 'states'
      | 'cameras'
      | 'time'
      | 'instructions'
      | 'varied_instructions'
      | 'outcomes'
      | 'labels'
      | 'one_action_space';
    readonly level: 'required' | 'helps';
    readonly why: string;
  }[];
  readonly learns_actions: boolean;
}

export interface UseCase {
  readonly id: UseCaseId;
  readonly aliases: readonly string[];
  readonly title: string;
  readonly summary: string;
  readonly nouns: {
    readonly recording: {
      readonly one: string;
      readonly many: string;
    };
    readonly episode: {
      readonly one: string;
      readonly many: string;
    };
    readonly machine: {
      readonly one: string;
      readonly many: string;
    };
    readonly operator: {
      readonly one: string;
      readonly many: string;
    };
    readonly task: {
      readonly one: string;
      readonly many: string;
    };
    readonly outcome: {
      readonly one: string;
      readonly many: string;
    };
  };
  readonly expected_kinds: readonly Kind[];
  readonly target_profiles: readonly {
    readonly id: TargetProfileId;
    readonly title: string;
    readonly applicable: boolean;
    readonly recommended: boolean;
    readonly reason: string;
  }[];
  readonly source_formats: readonly {
    readonly id: string;
    readonly title: string;
    readonly readable: boolean;
    readonly fits: boolean;
    readonly reason: string | null;
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
    readonly fits: boolean;
    readonly reason: string | null;
  }[];
  readonly readiness_emphasis: readonly {
    readonly check: string;
    readonly weight_factor: number;
    readonly reason: string;
  }[];
  readonly capabilities: {
    readonly hand_pose: {
      readonly requested: boolean;
      readonly reason: string;
    };
    readonly dense_text: {
      readonly requested: boolean;
      readonly reason: string;
    };
  };
  readonly presets: readonly (
    | 'readiness-only'
    | 'manipulation-qc'
    | 'egocentric-full'
    | 'drive-log-lite'
    | 'world-model'
    | 'everything'
  )[];
  readonly preset_details: readonly {
    readonly id:
      | 'readiness-only'
      | 'manipulation-qc'
      | 'egocentric-full'
      | 'drive-log-lite'
      | 'world-model'
      | 'everything';
    readonly title: string;
    readonly summary: string;
  }[];
}
