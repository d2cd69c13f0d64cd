import type { PlayClock } from './play-clock.ts';
import { readProblem } from './problem.ts';

/** Minimum time in ms between requests: while playing, and while the user seeks. */
const interval_ms = { playing: 250, paused: 80 };

/** The annotated frame at a time; `missing` if the layer has no output there. `src` is a URL of the loaded image. */
export type LayerState =
  | { readonly is: 'shown'; readonly src: string }
  | { readonly is: 'missing' }
  | { readonly is: 'failed'; readonly why: string };

interface LayerOptions {
  readonly clock: PlayClock;
  /** Returns the address of the annotated frame at a time in seconds. */
  readonly urlAt: (time_s: number) => string;
  readonly onState: (state: LayerState) => void;
}

/**
 * Loads the annotated frames of a camera at the times of a clock: one request at a time and not more often than
 * `interval_ms`. When the clock stands still, the last one is that of its time.
 */
export class LayerLoader {
  readonly #options: LayerOptions;
  readonly #unsubscribe: () => void;
  readonly #end = new AbortController();
  #url = '';
  #src = '';
  #isLoading = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last_ms = Number.NEGATIVE_INFINITY;

  constructor(options: LayerOptions) {
    this.#options = options;
    this.#unsubscribe = options.clock.subscribe(this.#follow);
    this.#follow();
  }

  /** Ends the requests and releases the image. */
  close(): void {
    this.#end.abort();
    this.#unsubscribe();
    clearTimeout(this.#timer);
    URL.revokeObjectURL(this.#src);
  }

  readonly #follow = (): void => {
    const { clock, urlAt } = this.#options;
    const isDone = this.#isLoading || this.#timer !== undefined || this.#end.signal.aborted;
    // The exact time of the clock: rounded it may be that of another frame.
    if (isDone || urlAt(clock.time_s) === this.#url) return;
    const due_ms = this.#last_ms + interval_ms[clock.playing ? 'playing' : 'paused'];
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        void this.#load();
      },
      Math.max(0, due_ms - performance.now()),
    );
  };

  async #load(): Promise<void> {
    const { clock, urlAt, onState } = this.#options;
    this.#url = urlAt(clock.time_s);
    this.#isLoading = true;
    this.#last_ms = performance.now();
    const state = await this.#request(this.#url);
    this.#isLoading = false;
    if (this.#end.signal.aborted) {
      if (state.is === 'shown') URL.revokeObjectURL(state.src);
      return;
    }
    URL.revokeObjectURL(this.#src);
    this.#src = state.is === 'shown' ? state.src : '';
    onState(state);
    this.#follow();
  }

  async #request(url: string): Promise<LayerState> {
    try {
      const answer = await fetch(url, { signal: this.#end.signal });
      if (answer.status === 404) return { is: 'missing' };
      if (!answer.ok) return { is: 'failed', why: await readProblem(answer) };
      return { is: 'shown', src: URL.createObjectURL(await answer.blob()) };
    } catch (thrown) {
      return { is: 'failed', why: thrown instanceof Error ? thrown.message : String(thrown) };
    }
  }
}
