// Written by `npm run generate` from src/core/api. Change it there.
import type { Kind, TargetProfileId, UseCaseId } from './shared.ts';

export interface ProjectReadinessSettings {
  readonly project_id: string;
  readonly use_case: UseCaseId;
  readonly data_kind: Kind | null;
  readonly checks: readonly {
    readonly id: string;
    readonly title: string;
    readonly view: 'integrity' | 'semantic';
    readonly needs: string;
    readonly kinds: readonly Kind[];
    readonly formula: string;
    readonly calibrated_on: string;
    readonly applies: {
      readonly status: 'applies' | 'does_not_apply' | 'unknown';
      readonly reason: string;
    };
    readonly enabled: {
      readonly default: boolean;
      readonly stored: boolean | null;
      readonly effective: boolean;
    };
    readonly threshold: {
      readonly default: number;
      readonly source: string;
      readonly stored_offset: number | null;
      readonly effective: number;
    };
    readonly weight: {
      readonly default: number;
      readonly use_case_factor: number | null;
      readonly use_case_reason: string | null;
      readonly stored_factor: number | null;
      readonly effective: number;
    };
    readonly flags: readonly {
      readonly code: string;
      readonly severity: 'blocking' | 'warning' | 'info';
      readonly meaning: string;
      readonly advice: string;
    }[];
    readonly comparisons: readonly string[];
  }[];
  readonly loaders: readonly {
    readonly id: string;
    readonly title: string;
    readonly reads: string;
    readonly marker: string | null;
    readonly chosen: boolean;
  }[];
  readonly bounds: {
    readonly threshold_offset: readonly [number, number];
    readonly weight_factor: readonly [number, number];
  };
  readonly decision: {
    readonly accept: number;
    readonly reject: number;
    readonly graded_fraction: number;
  };
  readonly stored: {
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
  readonly ignored: readonly string[];
  readonly settings_file: {
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
  readonly settings_hash: string;
  readonly episodes: number;
  readonly episodes_judged_otherwise: number;
  readonly adjusted: readonly {
    readonly pointer: string;
    readonly asked: number;
    readonly stored: number;
    readonly reason: string;
  }[];
  readonly notes: readonly string[];
}

export type TargetReadiness = {
  readonly project_id: string;
  readonly use_case: UseCaseId;
  readonly target_profile: TargetProfileId;
  readonly data_kind: Kind | null;
  readonly verdict: 'ready' | 'needs_work' | 'not_ready' | 'not_assessable';
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
    readonly status: 'met' | 'not_met' | 'not_assessable';
    readonly reason: string;
    readonly why: string;
  }[];
  readonly action_space:
    | {
        readonly status: 'diagnosed';
        readonly representation: 'absolute' | 'step_delta' | 'chunk_relative' | 'mixed' | 'undetermined';
        readonly space: 'joint' | 'end_effector' | 'gripper' | 'base' | 'unknown';
        readonly confidence: number;
        readonly groups: readonly {
          readonly space: 'joint' | 'end_effector' | 'gripper' | 'base' | 'unknown';
          readonly space_evidence: {
            readonly evidence: 'declared' | 'measured' | 'unknown';
            readonly reason: string;
          };
          readonly dimensions: readonly {
            readonly stream: string;
            readonly dimension: number;
            readonly name: string | null;
          }[];
          readonly representation: 'absolute' | 'step_delta' | 'chunk_relative' | 'undetermined';
          readonly leaning: 'absolute' | 'step_delta' | 'chunk_relative' | null;
          readonly confidence: number;
          readonly scores: {
            readonly absolute: number;
            readonly step_delta: number;
            readonly chunk_relative: number;
          };
          readonly lag_rows: number | null;
          readonly lag_ms: number | null;
          readonly gain: number | null;
          readonly units: 'as_state' | 'per_second' | 'scaled' | null;
          readonly relative_to:
            | 'measured_state'
            | 'previous_target'
            | 'start_of_chunk'
            | 'start_of_episode'
            | null;
          readonly chunk_rows: number | null;
          readonly compared: number;
          readonly still: number;
          readonly alone: number;
          readonly evidence: readonly string[];
        }[];
        readonly episodes: {
          readonly looked_at: number;
          readonly agreeing: number;
          readonly other_layout: number;
          readonly without_signals: number;
        };
        readonly findings: readonly string[];
        readonly conversions: readonly {
          readonly to: 'absolute' | 'step_delta' | 'chunk_relative';
          readonly lossless: boolean;
          readonly how: string;
        }[];
      }
    | {
        readonly status: 'not_assessable';
        readonly reason: string;
      };
  readonly recommendation:
    | {
        readonly status: 'recommended';
        readonly policy_class:
          | 'act'
          | 'diffusion_policy'
          | 'vla_finetuning'
          | 'bc_rnn'
          | 'action_conditioned_world_model'
          | 'video_world_model';
        readonly title: string;
        readonly confidence: number;
        readonly candidates: readonly {
          readonly policy_class:
            | 'act'
            | 'diffusion_policy'
            | 'vla_finetuning'
            | 'bc_rnn'
            | 'action_conditioned_world_model'
            | 'video_world_model';
          readonly title: string;
          readonly score: number;
          readonly for: readonly string[];
          readonly against: readonly string[];
        }[];
        readonly settings: readonly string[];
        readonly supporting: readonly {
          readonly authors: string;
          readonly year: number;
          readonly title: string;
          readonly venue: string | null;
          readonly arxiv: string;
          readonly finding: string;
        }[];
        readonly disagreeing: readonly {
          readonly authors: string;
          readonly year: number;
          readonly title: string;
          readonly venue: string | null;
          readonly arxiv: string;
          readonly finding: string;
        }[];
      }
    | {
        readonly status: 'not_applicable';
        readonly reason: string;
      }
    | {
        readonly status: 'not_assessable';
        readonly reason: string;
      };
  readonly sample: {
    readonly episodes: number;
    readonly of: number;
    readonly content_hash: string;
  };
};
