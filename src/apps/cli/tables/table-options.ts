import type { FlagRow } from '#quality/readiness';

export interface TableOptions {
  readonly path: string;
  readonly columns: number;
  readonly colours: boolean;
  /** Episodes of a dataset listed at most; the worst come first. */
  readonly rows: number;
  /** List those that are fine as well. */
  readonly all: boolean;
  /** By flag code. */
  readonly flags: ReadonlyMap<string, FlagRow>;
}
