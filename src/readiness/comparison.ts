import type { Finding } from '#episode';
import type { JsonObject } from '#kernel';
import type { Subject } from './check.ts';

/**
 * A look across episodes: what is measured of each (a small row), and what the rows together say of the dataset and of
 * single episodes. Dataset-wide defects (a camera missing everywhere, schema drift) become findings and are not
 * averaged into scores; what concerns one episode (a duplicate, an offset joint) becomes a note that a check judges.
 */
export interface Comparison<Row extends JsonObject = JsonObject> {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Null: this episode has nothing to compare. Keep rows under a few hundred bytes: all are held at once. */
  collect(subject: Subject): Row | null;
  conclude(rows: readonly ComparedRow<Row>[], facts: ComparedFacts): Conclusion;
}

export interface ComparedRow<Row> {
  readonly episode: string;
  readonly row: Row;
}

/** What the dataset's own metadata promised. */
export interface ComparedFacts {
  readonly declared_rate_hz: number | null;
  readonly declared_cameras: readonly string[];
}

export interface Conclusion {
  readonly findings: readonly Finding[];
  /** By episode id. */
  readonly notes: ReadonlyMap<string, JsonObject>;
}

export function defineComparison<Row extends JsonObject>(comparison: Comparison<Row>): Comparison {
  return {
    ...comparison,
    conclude: (rows, facts) => comparison.conclude(rows as readonly ComparedRow<Row>[], facts),
  };
}
