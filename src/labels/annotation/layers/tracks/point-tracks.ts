import type { Point, PointFlow } from '#labels/models';
import type { LaneFrame } from '../../lane.ts';

/** Points that are followed at once; new ones are looked for when fewer than half are left. */
const mostPoints = 100;

/** The way of a point, in px of the stored picture. */
export interface PointTrack {
  readonly id: number;
  readonly seen: { readonly frame: number; readonly point: Point }[];
}

interface Live extends PointTrack {
  /** In the picture that was looked at. */
  latest: Point;
}

/** Follows points through the frames of a camera. */
export class PointTracks {
  readonly #flow: PointFlow;
  readonly #ended: PointTrack[] = [];
  #live: readonly Live[] = [];
  #ids = 0;

  constructor(flow: PointFlow) {
    this.#flow = flow;
  }

  add(picture: LaneFrame, frame: number): void {
    this.#flow.show(picture);
    const moved = this.#flow.follow(this.#live.map(({ latest }) => latest));
    const kept: Live[] = [];
    for (const [at, track] of this.#live.entries()) {
      const point = moved[at];
      if (point === null) this.#ended.push(track);
      else {
        track.latest = point;
        track.seen.push({ frame, point: stored(point, picture) });
        kept.push(track);
      }
    }
    this.#live = kept;
    if (kept.length >= mostPoints / 2) return;
    const taken = kept.map(({ latest }) => latest);
    const begun = this.#flow.corners(mostPoints - kept.length, taken).map((point): Live => {
      const seen = [{ frame, point: stored(point, picture) }];
      return { id: this.#ids++, latest: point, seen };
    });
    this.#live = [...kept, ...begun];
  }

  /** Frames that nobody saw lie between the latest one and the next. */
  forget(): void {
    this.#ended.push(...this.#live);
    this.#live = [];
  }

  /** All that were seen more than once, in the order in which they began. */
  end(): readonly PointTrack[] {
    this.forget();
    return this.#ended.filter(({ seen }) => seen.length > 1).sort((a, b) => a.id - b.id);
  }
}

/** From where the middle of a pixel is a whole number to where its corner is. */
const stored = ([x, y]: Point, { width_px, height_px, stored_px: [width, height] }: LaneFrame): Point => [
  ((x + 0.5) * width) / width_px,
  ((y + 0.5) * height) / height_px,
];
