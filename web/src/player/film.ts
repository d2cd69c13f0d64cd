import type { PlayClock } from './play-clock.ts';
import { readProblem } from './problem.ts';
import type { FilmSpan, PlayerCamera } from './types.ts';

/** Drift from the clock above which the video seeks; below it the playback rate is adjusted. */
const jump_s = 0.3;
/** Change of the playback rate per second of drift, and its maximum. */
const catchUp = { per_s: 2, most: 0.25 };
/** Offset behind a frame's timestamp: exactly on it a browser may show the frame before. */
const behind_s = 0.001;
/** Difference up to which video and clock count as equal. */
const near_s = 0.004;

export type FilmState =
  | { readonly is: 'loading' | 'ready' }
  | { readonly is: 'failed'; readonly why: string };

interface FilmOptions {
  readonly camera: PlayerCamera;
  readonly clock: PlayClock;
  /** Duration of the episode; a shared clock may go on longer. */
  readonly duration_s: number;
  readonly spanUrl: (span: FilmSpan) => string;
  readonly onState: (state: FilmState) => void;
}

/** Keeps a video element in step with the clock; loads the video part by part. */
export class Film {
  readonly #video: HTMLVideoElement;
  readonly #options: FilmOptions;
  readonly #unsubscribe: () => void;
  readonly #end = new AbortController();
  #loading = new AbortController();
  /** Index of the loaded or loading part; -1 if there is none. */
  #part = -1;
  /** Index of the part that the service was asked to prepare; -1 if there is none. */
  #warmed = -1;
  #starts_s: number | null = null;

  constructor(video: HTMLVideoElement, options: FilmOptions) {
    this.#video = video;
    this.#options = options;
    const { signal } = this.#end;
    for (const event of ['loadeddata', 'canplay', 'seeked', 'waiting', 'playing'])
      video.addEventListener(event, this.#follow, { signal });
    video.addEventListener(
      'error',
      () => this.#failed(video.error?.message || 'this browser cannot play the video'),
      {
        signal,
      },
    );
    this.#unsubscribe = options.clock.subscribe(this.#follow);
    this.#follow();
  }

  /** Stops following the clock and loading; the video element itself stays. */
  close(): void {
    this.#end.abort();
    this.#loading.abort();
    this.#unsubscribe();
    this.#options.clock.hold(this, false);
    this.#video.removeAttribute('src');
    this.#video.load();
  }

  readonly #follow = (): void => {
    const { camera, clock, duration_s } = this.#options;
    const last = camera.part_s === null ? 0 : Math.max(0, Math.ceil(duration_s / camera.part_s) - 1);
    const part = camera.part_s === null ? 0 : Math.min(last, Math.floor(clock.time_s / camera.part_s));
    if (part !== this.#part) void this.#load(part);
    else if (clock.playing && part < last && this.#warmed !== part + 1) void this.#warm(part + 1);
    if (this.#starts_s === null) return;
    const wanted_s = clock.time_s - this.#starts_s;
    const end_s = Number.isFinite(this.#video.duration) ? this.#video.duration : Number.POSITIVE_INFINITY;
    const isInside = wanted_s >= 0 && wanted_s < end_s;
    if (clock.playing && isInside && !clock.waiting) this.#play(wanted_s);
    else this.#stand(Math.min(Math.max(0, wanted_s), Math.max(0, end_s - behind_s)));
    const isBehind = this.#video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA;
    clock.hold(this, isBehind && isInside);
  };

  #play(wanted_s: number): void {
    const video = this.#video;
    const { speed } = this.#options.clock;
    const drift_s = video.currentTime - wanted_s;
    if (Math.abs(drift_s) > jump_s * Math.max(1, speed)) this.#stand(wanted_s);
    const by = Math.min(catchUp.most, Math.max(-catchUp.most, drift_s * catchUp.per_s));
    const rate = Math.round(speed * (1 - by) * 50) / 50;
    if (video.playbackRate !== rate) video.playbackRate = Math.max(0.0625, rate);
    // If the browser refuses to play, seeking still shows the frames.
    if (video.paused) video.play().catch(() => {});
  }

  #stand(wanted_s: number): void {
    const video = this.#video;
    if (!this.#options.clock.playing && !video.paused) video.pause();
    if (video.seeking || Math.abs(video.currentTime - behind_s - wanted_s) < near_s) return;
    video.currentTime = wanted_s + behind_s;
  }

  async #load(part: number): Promise<void> {
    const { clock, onState } = this.#options;
    this.#part = part;
    this.#starts_s = null;
    this.#loading.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    clock.hold(this, true);
    onState({ is: 'loading' });
    const url = this.#urlOf(part);
    try {
      // A video element gives access to neither headers nor errors.
      const answer = await fetch(url, { headers: { range: 'bytes=0-0' }, signal });
      if (!answer.ok) throw new Error(await readProblem(answer));
      await answer.arrayBuffer();
      if (signal.aborted) return;
      this.#starts_s = Number(answer.headers.get('x-video-starts-s') ?? 0);
      this.#video.src = url;
      onState({ is: 'ready' });
      this.#follow();
    } catch (thrown) {
      if (!signal.aborted) this.#failed(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }

  /** Lets the service prepare the next part. Errors are reported when the part is shown. */
  async #warm(part: number): Promise<void> {
    this.#warmed = part;
    const asked = { headers: { range: 'bytes=0-0' }, signal: this.#end.signal };
    await fetch(this.#urlOf(part), asked).then(
      (answer) => answer.arrayBuffer(),
      () => {},
    );
  }

  #urlOf(part: number): string {
    const { stream_id, mime, part_s } = this.#options.camera;
    const plays = mime === null || this.#video.canPlayType(mime) !== '';
    const codec = plays ? 'recorded' : 'h264';
    if (part_s === null) return this.#options.spanUrl({ stream_id, codec, from_s: 0 });
    const from_s = part * part_s;
    return this.#options.spanUrl({ stream_id, codec, from_s, until_s: from_s + part_s });
  }

  /** Reports a failure; the clock does not wait for this video. */
  #failed(why: string): void {
    this.#starts_s = null;
    this.#options.clock.hold(this, false);
    this.#options.onState({ is: 'failed', why });
  }
}
