// Written by `npm run generate` from src/core/api. Change it there.
import type { EpisodeSummary, Finding, JsonValue, Kind } from './shared.ts';

export type CompareEpisodes = {
  readonly one:
    | {
        readonly run_id: string;
      }
    | {
        readonly slice_id: string;
      };
  readonly other:
    | {
        readonly run_id: string;
      }
    | {
        readonly slice_id: string;
      };
};

export interface ComparedSide {
  readonly run_id: string | null;
  readonly slice_id: string | null;
  readonly episodes: number;
  readonly duration_s: number;
  readonly decisions: {
    readonly accept: number;
    readonly review: number;
    readonly reject: number;
  };
  readonly median_score: number | null;
  readonly flags: readonly {
    readonly value: string;
    readonly episodes: number;
  }[];
  readonly tasks: readonly {
    readonly value: string | null;
    readonly episodes: number;
  }[];
  readonly robots: readonly {
    readonly value: string | null;
    readonly episodes: number;
  }[];
  readonly outcomes: readonly {
    readonly value: string | null;
    readonly episodes: number;
  }[];
  readonly durations: readonly {
    readonly from_s: number;
    readonly to_s: number;
    readonly episodes: number;
  }[];
}

export type Component =
  | {
      readonly id: string;
      readonly threshold: number;
      readonly weight: number;
      readonly status: 'scored';
      readonly score: number;
      readonly inputs: Readonly<Record<string, JsonValue>>;
      readonly compared?: Readonly<Record<string, JsonValue>> | undefined;
    }
  | {
      readonly id: string;
      readonly threshold: number;
      readonly weight: number;
      readonly status: 'inapplicable' | 'not_assessable' | 'disabled';
      readonly reason: string;
    };

export interface EmbeddingMap {
  readonly descriptor: string;
  readonly version: number;
  readonly says: string;
  readonly points: readonly {
    readonly id: string;
    readonly receipt_id: string;
    readonly name: string;
    readonly x: number;
    readonly y: number;
    readonly decision: 'accept' | 'review' | 'reject';
    readonly score: number | null;
    readonly task: string | null;
  }[];
  readonly not_mapped: readonly {
    readonly reason: string;
    readonly episodes: number;
  }[];
  readonly more: boolean;
}

export type Episode = {
  readonly id: string;
  readonly project_id: string;
  readonly source_id: string;
  readonly run_id: string;
  readonly receipt_id: string;
  readonly dataset_path: string;
  readonly name: string;
  readonly index: number;
  readonly format: string;
  readonly kind: Kind;
  readonly decision: 'accept' | 'review' | 'reject';
  readonly score: number | null;
  readonly graded_fraction: number;
  readonly duration_s: number;
  readonly start_ns: string | null;
  readonly robot: string | null;
  readonly task: string | null;
  readonly outcome: 'success' | 'failure' | 'unknown';
  readonly flags: readonly string[];
  readonly tags: readonly string[];
  readonly review_decision: 'accept' | 'review' | 'reject' | null;
  readonly reviewed_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly kind_facts: {
    readonly from: 'pinned' | 'streams';
    readonly by_streams: Kind;
    readonly judged_as: Kind;
    readonly evidence: readonly string[];
  };
  readonly decision_reason: string;
  readonly flag_details: readonly Flag[];
  readonly tasks: readonly string[] | null;
  readonly outcome_facts: {
    readonly value: 'success' | 'failure' | 'unknown';
    readonly evidence: 'declared' | 'known_format' | 'measured' | 'unknown';
    readonly reason: string;
  };
  readonly findings: readonly Finding[];
  readonly limits: readonly string[];
  readonly locator: {
    readonly format: string;
    readonly path: string;
    readonly span?:
      | {
          readonly unit: 'row' | 's' | 'record';
          readonly from: number;
          readonly to: number;
        }
      | undefined;
  };
  readonly sources: readonly {
    readonly path: string;
    readonly bytes: number;
    readonly sha256: string | null;
    readonly role: string;
  }[];
  readonly grippers: readonly {
    readonly stream: string;
    readonly dimension: number;
    readonly name: string | null;
    readonly unit: string;
    readonly range_observed: readonly [number, number];
    readonly open_value: number | null;
    readonly evidence: 'declared' | 'known_format' | 'measured' | 'unknown';
    readonly reason: string;
  }[];
  readonly streams: readonly StreamFacts[];
  readonly views: {
    readonly integrity: {
      readonly score: number | null;
      readonly checks: readonly Component[];
    };
    readonly semantic: {
      readonly score: number | null;
      readonly checks: readonly Component[];
    };
    readonly utility: {
      readonly signals: readonly {
        readonly signal: 'actions' | 'states' | 'cameras' | 'instruction' | 'outcome' | 'labels';
        readonly status: 'present' | 'absent' | 'not_assessable';
        readonly reason: string;
      }[];
    };
  };
  readonly receipt: {
    readonly id: string;
    readonly content_hash: string;
    readonly settings_hash: string;
    readonly engine_version: string;
    readonly sealed_at: string;
  };
  readonly review: Review | null;
  readonly links: {
    readonly receipt: string;
    readonly streams: string;
    readonly reviews: string;
    readonly annotations: string;
    readonly run: string;
    readonly source: string;
    readonly project: string;
  };
};

export interface EpisodeComparison {
  readonly project_id: string;
  readonly one: ComparedSide;
  readonly other: ComparedSide;
  readonly both: number;
  readonly only_one: number;
  readonly only_other: number;
  readonly decided_otherwise: number;
  readonly flagged_otherwise: number;
  readonly changes: readonly {
    readonly episode_id: string;
    readonly name: string;
    readonly one: {
      readonly decision: 'accept' | 'review' | 'reject';
      readonly score: number | null;
      readonly flags: readonly string[];
    };
    readonly other: {
      readonly decision: 'accept' | 'review' | 'reject';
      readonly score: number | null;
      readonly flags: readonly string[];
    };
  }[];
}

export interface EpisodePose {
  readonly label: string;
  readonly kind: 'end_effector' | 'object' | 'camera' | 'base' | 'other';
  readonly stream_id: string;
  readonly unit: 'm' | null;
  readonly z_axis: 'up' | 'down';
  readonly rows: number;
  readonly time_s: readonly number[];
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly z: readonly number[];
  readonly starts: readonly number[];
  readonly quaternions: readonly (readonly number[] | null)[] | null;
  readonly orientation_problem: string | null;
}

export interface EpisodePoses {
  readonly poses: readonly EpisodePose[];
}

export type EpisodeStream = {
  readonly id: string;
  readonly role: string;
  readonly modality: string;
  readonly shape: readonly number[];
  readonly unit: {
    readonly unit: string;
    readonly evidence: 'declared' | 'known_format' | 'measured' | 'unknown';
    readonly reason: string;
  };
  readonly sample_count: number;
  readonly declared_rate_hz: number | null;
  readonly measured_rate_hz: number | null;
  readonly clock: {
    readonly name: string;
    readonly provenance: string;
    readonly reason: string;
    readonly others: readonly string[];
  } | null;
  readonly event_driven?: string | undefined;
  readonly links: {
    readonly samples: string;
    readonly frames: string | null;
  };
};

export interface Flag {
  readonly code: string;
  readonly check: string;
  readonly severity: 'blocking' | 'warning' | 'info';
  readonly score: number;
  readonly threshold: number;
  readonly observed: number;
  readonly message: string;
  readonly advice: string;
  readonly marks: readonly Mark[];
}

export interface Mark {
  readonly stream: string;
  readonly from_s: number;
  readonly to_s: number;
  readonly dimension?: number | undefined;
}

export interface Playback {
  readonly duration_s: number;
  readonly cameras: readonly {
    readonly stream_id: string;
    readonly codec: string | null;
    readonly mime: string | null;
    readonly width_px: number | null;
    readonly height_px: number | null;
    readonly rate_hz: number | null;
    readonly frames: number;
    readonly starts_s: number | null;
    readonly last_s: number | null;
    readonly part_s: number | null;
    readonly problem: string | null;
    readonly links: {
      readonly video: string;
    };
  }[];
  readonly signals: readonly StreamSamples[];
  readonly omitted: readonly string[];
}

export interface ProjectFinding {
  readonly source_id: string;
  readonly run_id: string;
  readonly dataset_path: string | null;
  readonly format: string | null;
  readonly code: string;
  readonly severity: 'info' | 'warning' | 'error' | 'blocking';
  readonly path: string | null;
  readonly message: string;
  readonly advice: string;
  readonly evidence?: Readonly<Record<string, JsonValue>> | undefined;
}

export interface ProjectSummary {
  readonly project_id: string;
  readonly episodes: number;
  readonly duration_s: number;
  readonly sources: number;
  readonly tasks: number;
  readonly decisions: {
    readonly accept: number;
    readonly review: number;
    readonly reject: number;
  };
  readonly effective_decisions: {
    readonly accept: number;
    readonly review: number;
    readonly reject: number;
  };
  readonly score: {
    readonly lowest: number | null;
    readonly median: number | null;
    readonly highest: number | null;
    readonly unscored: number;
    readonly histogram: readonly number[];
  };
  readonly reviews: {
    readonly reviewed: number;
    readonly overruled: number;
  };
  readonly kinds: readonly {
    readonly value: Kind;
    readonly episodes: number;
  }[];
  readonly outcomes: readonly {
    readonly value: 'success' | 'failure' | 'unknown';
    readonly episodes: number;
  }[];
  readonly robots: readonly {
    readonly value: string | null;
    readonly episodes: number;
  }[];
  readonly flags: readonly {
    readonly value: string;
    readonly episodes: number;
  }[];
  readonly findings: {
    readonly blocking: number;
    readonly error: number;
    readonly warning: number;
    readonly info: number;
  };
  readonly worst: readonly EpisodeSummary[];
  readonly text: string;
}

export interface Review {
  readonly id: string;
  readonly episode_id: string;
  readonly decision: 'accept' | 'review' | 'reject';
  readonly note: string;
  readonly receipt_id: string;
  readonly current: boolean;
  readonly created_at: string;
  readonly created_by: string;
  readonly withdrawn_at: string | null;
  readonly withdrawn_by: string | null;
}

export type StreamFacts = {
  readonly id: string;
  readonly role: string;
  readonly modality: string;
  readonly shape: readonly number[];
  readonly unit: {
    readonly unit: string;
    readonly evidence: 'declared' | 'known_format' | 'measured' | 'unknown';
    readonly reason: string;
  };
  readonly sample_count: number;
  readonly declared_rate_hz: number | null;
  readonly measured_rate_hz: number | null;
  readonly clock: {
    readonly name: string;
    readonly provenance: string;
    readonly reason: string;
    readonly others: readonly string[];
  } | null;
  readonly event_driven?: string | undefined;
};

export interface StreamSamples {
  readonly stream_id: string;
  readonly axis: 'time_s' | 'row';
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  readonly total_rows: number;
  readonly at: readonly number[];
  readonly dims: number;
  readonly dimensions: readonly {
    readonly index: number;
    readonly name: string | null;
    readonly min: readonly (number | null)[];
    readonly max: readonly (number | null)[];
    readonly not_finite: readonly number[];
  }[];
}
