// Written by `npm run generate` from src/core/api. Change it there.
import type { CurationPlanInput, JsonValue, TargetProfileId } from './shared.ts';

export interface Ablation {
  readonly project_id: string;
  readonly subsets: readonly {
    readonly id: 'raw' | 'readiness_filtered' | 'curated';
    readonly how: string;
    readonly composition: Composition;
  }[];
  readonly plan_hash: string;
  readonly probe: {
    readonly status: 'not_run';
    readonly reason: string;
    readonly advice: string;
  };
  readonly limits: readonly string[];
}

export type Composition = {
  readonly episodes: number;
  readonly duration_s: number;
  readonly by_decision: readonly {
    readonly value: string | null;
    readonly episodes: number;
    readonly duration_s: number;
  }[];
  readonly by_task: readonly {
    readonly value: string | null;
    readonly episodes: number;
    readonly duration_s: number;
  }[];
  readonly by_robot: readonly {
    readonly value: string | null;
    readonly episodes: number;
    readonly duration_s: number;
  }[];
  readonly by_operator: readonly {
    readonly value: string | null;
    readonly episodes: number;
    readonly duration_s: number;
  }[];
  readonly by_outcome: readonly {
    readonly value: string | null;
    readonly episodes: number;
    readonly duration_s: number;
  }[];
  readonly by_duration: readonly {
    readonly from_s: number;
    readonly to_s: number;
    readonly episodes: number;
  }[];
  readonly action_coverage:
    | {
        readonly status: 'measured';
        readonly covered: number;
        readonly of: number;
        readonly share: number;
        readonly episodes: number;
      }
    | {
        readonly status: 'not_assessable';
        readonly reason: string;
      };
  readonly scene_coverage:
    | {
        readonly status: 'measured';
        readonly covered: number;
        readonly of: number;
        readonly share: number;
        readonly episodes: number;
      }
    | {
        readonly status: 'not_assessable';
        readonly reason: string;
      };
  readonly unlisted_values: number;
};

export interface CurationPlan {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly created_by: string;
  readonly plan: {
    readonly seed: number;
    readonly stages: readonly {
      readonly strategy: string;
      readonly parameters: Readonly<Record<string, JsonValue>>;
    }[];
  };
  readonly input_hash: string;
  readonly plan_hash: string;
  readonly stages: readonly {
    readonly stage: number;
    readonly strategy: string;
    readonly parameters: Readonly<Record<string, JsonValue>>;
    readonly looked_at: number;
    readonly dropped: number;
    readonly not_assessable: number;
    readonly trimmed: number;
    readonly boosted: number;
    readonly reasons: readonly {
      readonly reason: string;
      readonly episodes: number;
    }[];
  }[];
  readonly before: Composition;
  readonly after: Composition;
  readonly kept: readonly string[];
  readonly dropped: readonly {
    readonly id: string;
    readonly stage: number;
    readonly strategy: string;
    readonly reason: string;
  }[];
  readonly trims: Readonly<
    Record<
      string,
      {
        readonly from_s: number;
        readonly to_s: number;
      }
    >
  >;
  readonly boosts: Readonly<Record<string, number>>;
}

export interface CurationRecommendation {
  readonly project_id: string;
  readonly target_profile: string;
  readonly plan: CurationPlanInput;
  readonly reasons: readonly {
    readonly strategy: string;
    readonly reason: string;
  }[];
  readonly not_recommended: readonly {
    readonly strategy: string;
    readonly reason: string;
  }[];
}

export interface CurationResult {
  readonly plan: {
    readonly seed: number;
    readonly stages: readonly {
      readonly strategy: string;
      readonly parameters: Readonly<Record<string, JsonValue>>;
    }[];
  };
  readonly input_hash: string;
  readonly plan_hash: string;
  readonly stages: readonly {
    readonly stage: number;
    readonly strategy: string;
    readonly parameters: Readonly<Record<string, JsonValue>>;
    readonly looked_at: number;
    readonly dropped: number;
    readonly not_assessable: number;
    readonly trimmed: number;
    readonly boosted: number;
    readonly reasons: readonly {
      readonly reason: string;
      readonly episodes: number;
    }[];
  }[];
  readonly before: Composition;
  readonly after: Composition;
  readonly kept: readonly string[];
  readonly dropped: readonly {
    readonly id: string;
    readonly stage: number;
    readonly strategy: string;
    readonly reason: string;
  }[];
  readonly trims: Readonly<
    Record<
      string,
      {
        readonly from_s: number;
        readonly to_s: number;
      }
    >
  >;
  readonly boosts: Readonly<Record<string, number>>;
}

export interface CurationStrategy {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly source: string | null;
  readonly needs: readonly string[];
  readonly parameters: Readonly<Record<string, JsonValue>>;
}

export interface DistributionGap {
  readonly project_id: string;
  readonly expected: {
    readonly by: 'declared' | 'own_spread';
    readonly how: string;
  };
  readonly gaps: readonly {
    readonly rank: number;
    readonly aspect: 'task' | 'robot' | 'duration' | 'action_region' | 'scene' | 'phase';
    readonly part: string;
    readonly episodes: number;
    readonly expected_episodes: number;
    readonly missing_share: number;
  }[];
  readonly covered: readonly ('task' | 'robot' | 'duration' | 'action_region' | 'scene' | 'phase')[];
  readonly not_assessable: readonly {
    readonly aspect: 'task' | 'robot' | 'duration' | 'action_region' | 'scene' | 'phase';
    readonly reason: string;
  }[];
  readonly episodes: number;
  readonly limits: readonly string[];
}

export interface OntologySummary {
  readonly project_id: string;
  readonly workspace_id: string;
  readonly classes: readonly {
    readonly name: string;
    readonly status: 'declared_and_found' | 'found_not_declared' | 'declared_not_found';
    readonly found_as: readonly string[];
    readonly found_by: readonly (
      | 'recording'
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
      | 'representation_3d'
    )[];
    readonly episodes: number;
    readonly properties: {
      readonly decision: readonly {
        readonly value: string | null;
        readonly episodes: number;
      }[];
      readonly task: readonly {
        readonly value: string | null;
        readonly episodes: number;
      }[];
      readonly robot: readonly {
        readonly value: string | null;
        readonly episodes: number;
      }[];
      readonly outcome: readonly {
        readonly value: string | null;
        readonly episodes: number;
      }[];
    };
  }[];
  readonly declared: readonly string[];
  readonly renames: Readonly<Record<string, string>>;
  readonly episodes: number;
  readonly episodes_with_labels: number;
  readonly limits: readonly string[];
}

export type Probe = {
  readonly project_id: string;
  readonly result:
    | {
        readonly status: 'measured';
        readonly seed: number;
        readonly folds: number;
        readonly window_rows: number;
        readonly state_dims: number;
        readonly action_dims: number;
        readonly compared_dims: number;
        readonly held_out: {
          readonly episodes: number;
          readonly pairs: number;
          readonly why: string;
        };
        readonly policies: readonly {
          readonly id: 'ridge' | 'nearest_neighbours';
          readonly about: string;
        }[];
        readonly subsets: readonly {
          readonly id: 'raw' | 'accepted' | 'curated';
          readonly how: string;
          readonly episodes: number;
          readonly left_out: readonly {
            readonly reason: string;
            readonly episodes: number;
          }[];
          readonly training: {
            readonly episodes: number;
            readonly pairs: number;
          };
          readonly outcome:
            | {
                readonly status: 'measured';
                readonly policies: readonly {
                  readonly policy: 'ridge' | 'nearest_neighbours';
                  readonly error: number;
                  readonly interval: readonly [number, number];
                }[];
              }
            | {
                readonly status: 'not_assessable';
                readonly reason: string;
              };
        }[];
        readonly comparisons: readonly {
          readonly policy: 'ridge' | 'nearest_neighbours';
          readonly subset: 'raw' | 'accepted' | 'curated';
          readonly against: 'raw' | 'accepted' | 'curated';
          readonly difference: {
            readonly value: number;
            readonly interval: readonly [number, number];
          };
          readonly intervals_overlap: boolean;
          readonly in_words: string;
        }[];
        /** Limitations of this result. */
        readonly limits: readonly string[];
      }
    | {
        readonly status: 'not_assessable';
        readonly reason: string;
        /** Limitations of this result. */
        readonly limits: readonly string[];
      };
};

export type Utility = {
  readonly project_id: string;
  readonly target_profile: TargetProfileId;
  readonly integrity: {
    readonly score: number | null;
    readonly checks: readonly {
      readonly id: string;
      readonly scored: number;
      readonly inapplicable: number;
      readonly not_assessable: number;
      readonly disabled: number;
      readonly mean_score: number | null;
    }[];
  };
  readonly semantic: {
    readonly score: number | null;
    readonly checks: readonly {
      readonly id: string;
      readonly scored: number;
      readonly inapplicable: number;
      readonly not_assessable: number;
      readonly disabled: number;
      readonly mean_score: number | null;
    }[];
    readonly proxy_metrics: readonly {
      readonly id: string;
      readonly about: string;
      readonly result:
        | {
            readonly status: 'measured';
            readonly value: number;
          }
        | {
            readonly status: 'not_assessable';
            readonly reason: string;
          };
    }[];
  };
  readonly utility: {
    readonly signals: readonly {
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
      readonly status: 'met' | 'not_met' | 'not_assessable';
      readonly reason: string;
    }[];
    readonly limits: readonly string[];
  };
  readonly sample: {
    readonly episodes: number;
    readonly of: number;
  };
};
