import type { JsonObject } from '#core';
import type { DeclaredStatistics, Finding } from '#core/episode';
import type { Aspect, CheckId, FlagRow, Subject } from './check.ts';

export type ComparisonId =
  | 'duplicate_episode'
  | 'split_leakage'
  | 'joint_offset'
  | 'schema_drift'
  | 'missing_camera'
  | 'placeholder_camera'
  | 'declared_pictures'
  | 'served_frames'
  | 'swapped_cameras'
  | 'camera_lag'
  | 'wrong_rate'
  | 'wrong_instruction'
  | 'unit_drift'
  | 'lag_drift'
  | 'convention_mix'
  | 'set_statistics'
  | 'usual_motion'
  | 'idle_episode'
  | 'joint_order';

/**
 * A look across episodes: what is measured of each (a small row), and what the rows together say of the dataset and of
 * single episodes. Dataset-wide defects (a camera missing everywhere, schema drift) become findings and are not
 * averaged into scores; what concerns one episode (a duplicate, an offset joint) becomes a note that a check judges.
 */
export interface Comparison<Row extends JsonObject = JsonObject> {
  /** snake_case; the key of its notes. */
  readonly id: ComparisonId;
  readonly title: string;
  readonly about: string;
  /** Checks that judge its notes; each finds the note under this comparison's id. Empty: dataset findings only. */
  readonly judged_by: readonly CheckId[];
  /** Flags that its notes raise in one of these checks by themselves, where the check has nothing to add. */
  readonly raises?: Raises;
  /** Null: this episode has nothing to compare. Keep rows under a few hundred bytes: all are held at once. */
  collect(subject: Subject): Row | null;
  conclude(rows: readonly ComparedRow<Row>[], facts: ComparedFacts): Conclusion;
}

interface Raises {
  readonly check: CheckId;
  readonly flags: readonly FlagRow[];
  /** Sees nothing but the note, as a check's `judge` does. */
  judge(note: JsonObject): readonly Aspect[];
}

export interface ComparedRow<Row> {
  readonly episode: string;
  readonly row: Row;
}

/** What the dataset's own metadata promised. */
export interface ComparedFacts {
  readonly declared_rate_hz: number | null;
  /** The format's own reader refuses a set whose stamps run at another rate. */
  readonly rate_is_contract?: boolean | undefined;
  readonly declared_cameras: readonly string[];
  readonly declared_statistics?: DeclaredStatistics | undefined;
}

export interface Conclusion {
  readonly findings: readonly Finding[];
  /** By episode id; judged by the checks in `judged_by`. */
  readonly notes: ReadonlyMap<string, JsonObject>;
}

export function defineComparison<Row extends JsonObject>(comparison: Comparison<Row>): Comparison {
  return {
    ...comparison,
    conclude: (rows, facts) => comparison.conclude(rows as readonly ComparedRow<Row>[], facts),
  };
}
