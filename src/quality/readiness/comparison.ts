import type { JsonObject } from '#core';
import type { DeclaredStatistics, Finding } from '#core/episode';
import type { Aspect, CheckId, FlagRow, Subject } from './check.ts';

/** Ids of all comparisons, as stored in receipts. */
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
 * A comparison across the episodes of a dataset: `collect` reduces each episode to a small row, `conclude`
 * evaluates all rows together. Defects of the dataset (a camera missing everywhere, schema drift) become
 * findings and are not averaged into scores; defects of one episode (a duplicate, an offset joint) become
 * notes that a check grades.
 */
export interface Comparison<Row extends JsonObject = JsonObject> {
  /** snake_case; the key of its notes. */
  readonly id: ComparisonId;
  readonly title: string;
  readonly about: string;
  /**
   * Checks that receive its notes, under this comparison's id. Empty if the comparison returns findings only.
   */
  readonly judged_by: readonly CheckId[];
  /**
   * Flags that its notes raise in one of these checks, for comparisons whose check needs no code of its own.
   */
  readonly raises?: RaisedFlags;
  /**
   * Returns the episode's row, or `null` if the episode has nothing to compare. Keep rows under a few hundred
   * bytes: the rows of all episodes are in memory at once.
   */
  collect(subject: Subject): Row | null;
  conclude(rows: readonly ComparisonRow<Row>[], facts: DeclaredDatasetFacts): Conclusion;
}

interface RaisedFlags {
  readonly check: CheckId;
  readonly flags: readonly FlagRow[];
  /** Grades a note. It receives nothing else, like a check's `judge`. */
  judge(note: JsonObject): readonly Aspect[];
}

/** A comparison's row of one episode. */
export interface ComparisonRow<Row> {
  readonly episode: string;
  readonly row: Row;
}

/** Facts that the dataset's metadata declares. */
export interface DeclaredDatasetFacts {
  readonly declared_rate_hz: number | null;
  /** `true` if the format's own loader rejects datasets whose timestamps run at another rate. */
  readonly rate_is_contract?: boolean | undefined;
  readonly declared_cameras: readonly string[];
  readonly declared_statistics?: DeclaredStatistics | undefined;
}

/** Result of a comparison over a dataset. */
export interface Conclusion {
  readonly findings: readonly Finding[];
  /** Notes by episode id; graded by the checks in `judged_by`. */
  readonly notes: ReadonlyMap<string, JsonObject>;
}

/**
 * Returns the comparison unchanged, but typed for plain JSON rows, as the registry stores it; `comparison` itself has
 * its own row type.
 */
export function defineComparison<Row extends JsonObject>(comparison: Comparison<Row>): Comparison {
  return {
    ...comparison,
    conclude: (rows, facts) => comparison.conclude(rows as readonly ComparisonRow<Row>[], facts),
  };
}
