/** Where and under which name measurements of one assessment are kept. Plain data: it crosses threads. */
export interface CachePlace {
  readonly folder: string;
  /** Of the program; see `programStamp`. */
  readonly program: string;
  /** When the assessment began to look, by `Date.now()`: of files changed since then nothing is kept. */
  readonly begun_ms: number;
}
