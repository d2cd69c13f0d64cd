import { TimeLeft } from './time-left.ts';

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
