import type { Home } from '../mend/mend.ts';
import type { Moments } from './compare.ts';
import type { Declared } from './declared.ts';
import type { NumericFeature } from './episode-rows.ts';
import type { EntryPool } from './pool.ts';

/** What is known while the episodes are gone through. */
export interface StatisticsLook {
  readonly declared: Declared;
  readonly features: readonly NumericFeature[];
  /** Statistics of single episodes are kept in this set. */
  readonly kept: boolean;
  /** Features that have statistics, or should. */
  readonly wanted: ReadonlySet<string>;
  /** v3 keeps quantiles. */
  readonly quantiles: boolean;
  /** The file of the table that lists an episode; null where its row is new. */
  readonly homes: ReadonlyMap<number, string | null>;
  /** Where the rows of an episode lie. */
  readonly rows: ReadonlyMap<number, Home>;
  readonly pools: Map<string, EntryPool>;
  readonly moments: Map<string, Moments>;
  /** Features of which not every row counts: the set's statistics of them are left as they are. */
  readonly partial: Set<string>;
}
