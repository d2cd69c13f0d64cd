interface Span {
  readonly from_s: number;
  readonly to_s: number;
}

export const speeds = [0.1, 0.25, 0.5, 1, 2, 4] as const;

/** Playback time of an episode. It stops while a video that it waits for is buffering. */
export class PlayClock {
  time_s = 0;
  playing = false;
  speed = 1;
  /** Span that is looped; `null` if the episode is played once. */
  loop: Span | null = null;
  readonly duration_s: number;
  readonly #listeners = new Set<() => void>();
  readonly #held = new Set<object>();
  #frame = 0;
  #last_ms = 0;

  constructor(duration_s: number) {
    this.duration_s = duration_s;
  }

  /** True while a video is buffering. */
  get waiting(): boolean {
    return this.#held.size > 0;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly toggle = (): void => (this.playing ? this.pause() : this.play());

  /** Starts playback; at the end of the episode or outside of the loop, from its start. Does nothing if it plays already. */
  play(): void {
    if (this.playing || this.duration_s === 0) return;
    const [from_s, to_s] = this.#bounds();
    if (this.time_s >= to_s || this.time_s < from_s) this.time_s = from_s;
    this.playing = true;
    this.#last_ms = performance.now();
    this.#frame = requestAnimationFrame(this.#tick);
    this.#tell();
  }

  readonly pause = (): void => {
    this.playing = false;
    cancelAnimationFrame(this.#frame);
    this.#tell();
  };

  /** Goes to a time; one outside of the looped span ends the loop. */
  readonly seek = (time_s: number): void => {
    this.time_s = Math.min(this.duration_s, Math.max(0, time_s));
    const [from_s, to_s] = this.#bounds();
    if (this.time_s < from_s || this.time_s > to_s) this.loop = null;
    this.#tell();
  };

  /** Sets the playback speed as a factor of real time. */
  setSpeed(speed: number): void {
    this.speed = speed;
    this.#tell();
  }

  /** Loops a span and goes to its start; `null` ends the loop. */
  setLoop(loop: Span | null): void {
    this.loop = loop;
    if (loop !== null) this.time_s = loop.from_s;
    this.#tell();
  }

  /** Pauses the running clock while at least one caller holds it; `isHeld` `false` releases the hold of `who`. */
  hold(who: object, isHeld: boolean): void {
    if (isHeld === this.#held.has(who)) return;
    if (isHeld) this.#held.add(who);
    else this.#held.delete(who);
    this.#tell();
  }

  readonly #tick = (now_ms: number): void => {
    const passed_s = Math.max(0, now_ms - this.#last_ms) / 1000;
    this.#last_ms = now_ms;
    if (!this.waiting) this.#advance(passed_s * this.speed);
    if (!this.playing) return;
    this.#frame = requestAnimationFrame(this.#tick);
    this.#tell();
  };

  #advance(by_s: number): void {
    const [from_s, to_s] = this.#bounds();
    this.time_s += by_s;
    if (this.time_s < to_s) return;
    this.time_s = this.loop === null ? to_s : from_s;
    if (this.loop === null) this.pause();
  }

  #bounds(): readonly [number, number] {
    if (this.loop === null) return [0, this.duration_s];
    // A mark of one moment is looped for a second.
    const to_s = Math.min(this.duration_s, Math.max(this.loop.to_s, this.loop.from_s + 1));
    return [Math.min(this.loop.from_s, to_s), to_s];
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
