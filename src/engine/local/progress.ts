/** Progress of an assessment. Bytes are those read; expected values of 0 are unknown. */
export interface Progress {
  readonly stage:
    | 'look'
    | 'measure'
    | 'compare'
    | 'judge'
    | 'annotate'
    | 'draw'
    | 'write'
    | 'export'
    | 'done';
  readonly episodes: number;
  readonly episodes_expected: number;
  readonly bytes: number;
  readonly bytes_expected: number;
  readonly elapsed_s: number;
  /** Episodes per second over the whole stage. */
  readonly rate: number;
  /** Estimated seconds left of this stage; `null` if unknown. */
  readonly eta_s: number | null;
}

/** Sums the workers' progress and reports it at most ten times per second. */
export class ProgressMeter {
  #stage: Progress['stage'] = 'look';
  #stageStart = performance.now();
  #episodes = 0;
  #bytes = 0;
  #expected = { episodes: 0, bytes: 0 };
  #lastSent = 0;
  #estimator = new TimeEstimator();
  readonly #start = performance.now();
  readonly #send: ((progress: Progress) => void) | undefined;

  constructor(send?: (progress: Progress) => void) {
    this.#send = send;
  }

  /** Begins a stage with counts of 0 and reports it. */
  stage(stage: Progress['stage'], expected: { episodes: number; bytes: number }): void {
    this.#stage = stage;
    this.#stageStart = performance.now();
    this.#episodes = 0;
    this.#bytes = 0;
    this.#expected = expected;
    this.#estimator = new TimeEstimator();
    this.#emit();
  }

  /** Adds to the counts of the stage; reports them unless that was done within the last 100 ms. */
  add(episodes: number, bytes: number): void {
    this.#episodes += episodes;
    this.#bytes += bytes;
    if (performance.now() - this.#lastSent >= 100) this.#emit();
  }

  #emit(): void {
    const now = performance.now();
    this.#lastSent = now;
    const spent_s = (now - this.#stageStart) / 1000;
    this.#send?.({
      stage: this.#stage,
      episodes: this.#episodes,
      episodes_expected: this.#expected.episodes,
      bytes: this.#bytes,
      bytes_expected: this.#expected.bytes,
      elapsed_s: (now - this.#start) / 1000,
      rate: spent_s > 0 ? this.#episodes / spent_s : 0,
      eta_s: this.#estimator.estimate(spent_s, this.#share()),
    });
  }

  /** Returns the fraction done, by episodes if more than one are expected, else by bytes; 0 if neither is known. */
  #share(): number {
    const { episodes, bytes } = this.#expected;
    if (episodes > 1) return Math.min(1, this.#episodes / episodes);
    return bytes > 0 ? Math.min(1, this.#bytes / bytes) : 0;
  }
}

/**
 * Window for the pace: the last 30 % of the elapsed time, at least 6 s. The recent pace predicts better than the
 * start.
 */
const paceWindow = { share: 0.3, min_s: 6 };
/** An estimate is given only after 2 s with 5 % done, or after 60 s with 0.5 % done. */
const minProgress = [
  { after_s: 2, share: 0.05 },
  { after_s: 60, share: 0.005 },
] as const;
/** Minimum time between two stored points. */
const minPointInterval_s = 0.5;
/** Multiple of the mean time between points after which the pace counts as slower. */
const maxStallSteps = 2;

interface Point {
  readonly at_s: number;
  readonly share: number;
}

/** Estimates the remaining time of a stage from its recent pace. */
export class TimeEstimator {
  /** Points of progress; the first is the start of the window. */
  readonly #points: Point[] = [{ at_s: 0, share: 0 }];

  /** Records that the fraction `share` was done after `spent_s`, and returns the seconds left; null until enough is done. */
  estimate(spent_s: number, share: number): number | null {
    const points = this.#points;
    const last = points[points.length - 1];
    if (share > last.share && (points.length === 1 || spent_s - last.at_s >= minPointInterval_s))
      points.push({ at_s: spent_s, share });
    const from_s = spent_s - Math.max(paceWindow.min_s, paceWindow.share * spent_s);
    while (points.length > 2 && points[1].at_s <= from_s) points.shift();
    const isMeaningful = minProgress.some((row) => spent_s >= row.after_s && share >= row.share);
    return isMeaningful ? this.#fromPace(spent_s, share) : null;
  }

  #fromPace(spent_s: number, share: number): number | null {
    const first = this.#points[0];
    const last = this.#points[this.#points.length - 1];
    const done = last.share - first.share;
    if (!(done > 0)) return null;
    const step_s = (last.at_s - first.at_s) / (this.#points.length - 1);
    const until_s = spent_s - last.at_s > maxStallSteps * step_s ? spent_s : last.at_s;
    return ((until_s - first.at_s) * (1 - share)) / done;
  }
}
