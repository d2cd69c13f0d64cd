export interface BenchOptions {
  /** Shorter run with smaller inputs; ratios stay ratios. */
  readonly quick: boolean;
  /** Writes the raw figures to this file as JSON. */
  readonly json: string | null;
  /** Folder for inputs; kept between runs so that they are generated once. */
  readonly scratch: string;
  print(line: string): void;
}

/** One benchmark: measured beside a peer or a limit in the same run, answered as figures by name. */
export interface Bench {
  readonly id: string;
  readonly title: string;
  /** False when a floor that the bench holds was not reached. */
  run(
    options: BenchOptions,
  ): Promise<{ readonly passed: boolean; readonly figures: Record<string, unknown> }>;
}
