/** Where an assessment stands. Bytes are those the readers read; 0 expected: not known. */
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
  /** Episodes a second over the whole stage. */
  readonly rate: number;
  /** Seconds left of this stage; null while it cannot be told. */
  readonly eta_s: number | null;
}

/** Counts what workers report and passes it on, at most ten times a second. */
export class ProgressMeter {
  #stage: Progress['stage'] = 'look';
  #stageStart = performance.now();
  #episodes = 0;
  #bytes = 0;
  #expected = { episodes: 0, bytes: 0 };
  #lastSent = 0;
  #left = new TimeLeft();
  readonly #start = performance.now();
  readonly #send: ((progress: Progress) => void) | undefined;

  constructor(send?: (progress: Progress) => void) {
    this.#send = send;
  }

  stage(stage: Progress['stage'], expected: { episodes: number; bytes: number }): void {
    this.#stage = stage;
    this.#stageStart = performance.now();
    this.#episodes = 0;
    this.#bytes = 0;
    this.#expected = expected;
    this.#left = new TimeLeft();
    this.#emit();
  }

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
      eta_s: this.#left.of(spent_s, this.#share()),
    });
  }

  /** Share done: episodes where their number is known, else bytes. */
  #share(): number {
    const { episodes, bytes } = this.#expected;
    if (episodes > 1) return Math.min(1, this.#episodes / episodes);
    return bytes > 0 ? Math.min(1, this.#bytes / bytes) : 0;
  }
}

/** Of the time spent, or these seconds where that is more: what it took lately says more than how it began. */
const recent = { share: 0.3, least_s: 6 };
/** Before so much is done nothing is said: a part after so long, and a lesser one of work that takes long. */
const meaningful = [
  { after_s: 2, share: 0.05 },
  { after_s: 60, share: 0.005 },
] as const;
/** Between two points that are kept. */
const apart_s = 0.5;
/** Of the usual time from one step to the next; what is silent for longer has become slower. */
const patience = 2;

interface Point {
  readonly at_s: number;
  readonly share: number;
}

/** How long a stage still takes, by its pace of late. */
export class TimeLeft {
  /** When it had come further; the first is where the window begins. */
  readonly #points: Point[] = [{ at_s: 0, share: 0 }];

  /** Seconds left after `spent_s` with `share` done; null while it cannot be told. */
  of(spent_s: number, share: number): number | null {
    const points = this.#points;
    const last = points[points.length - 1];
    if (share > last.share && (points.length === 1 || spent_s - last.at_s >= apart_s))
      points.push({ at_s: spent_s, share });
    const from_s = spent_s - Math.max(recent.least_s, recent.share * spent_s);
    while (points.length > 2 && points[1].at_s <= from_s) points.shift();
    const isMeaningful = meaningful.some((row) => spent_s >= row.after_s && share >= row.share);
    return isMeaningful ? this.#byPace(spent_s, share) : null;
  }

  #byPace(spent_s: number, share: number): number | null {
    const first = this.#points[0];
    const last = this.#points[this.#points.length - 1];
    const done = last.share - first.share;
    if (!(done > 0)) return null;
    const step_s = (last.at_s - first.at_s) / (this.#points.length - 1);
    const until_s = spent_s - last.at_s > patience * step_s ? spent_s : last.at_s;
    return ((until_s - first.at_s) * (1 - share)) / done;
  }
}
