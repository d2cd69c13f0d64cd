import { type JsonObject, significant } from '#core';
import type { PointFlow } from '#labels/models';
import { type Detection, overlap } from '../../detection/boxes.ts';
import type { LaneFrame } from '../../lane.ts';
import { micro } from '../../micro.ts';
import { type BoxTrack, ByteTrack } from './byte-track.ts';
import { type PointTrack, PointTracks } from './point-tracks.ts';

export interface TrackKnobs {
  /** Shortest track that is kept. */
  readonly min_track_s: number;
  /** Longest time out of sight that a track survives. */
  readonly max_gap_s: number;
  /** Frames of a second. */
  readonly rate_hz: number;
}

/** Tracks of points that are kept of a camera, the longest ones. */
const mostPointTracks = 200;
/** A box that covers less of its place before has leapt. */
const leap = 0.1;

/** What is followed through the frames of one camera: objects, or points where none is found. */
export class CameraTracks {
  readonly #knobs: TrackKnobs;
  readonly #boxes: ByteTrack;
  readonly #points: PointTracks;
  readonly #frames: Pick<LaneFrame, 'row' | 'time_s'>[] = [];
  #size: readonly [number, number] = [0, 0];
  #found = 0;

  constructor(knobs: TrackKnobs, flow: PointFlow) {
    this.#knobs = knobs;
    this.#boxes = new ByteTrack(Math.round(knobs.max_gap_s * knobs.rate_hz));
    this.#points = new PointTracks(flow);
  }

  /** Points are followed until something is found. */
  add(frame: LaneFrame, found: readonly Detection[]): void {
    const { row, time_s, stored_px } = frame;
    this.#size = stored_px;
    this.#boxes.add(found);
    this.#found += this.#boxes.sure(found);
    if (this.#found === 0) this.#points.add(frame, this.#frames.length);
    this.#frames.push({ row, time_s });
  }

  /** A frame that was wanted and cannot be decoded. */
  miss(gone: Pick<LaneFrame, 'row' | 'time_s'>): void {
    this.#boxes.add([]);
    this.#points.forget();
    this.#frames.push(gone);
  }

  /** What is told of the camera, and its time in tracks: in all, and in those that never break. */
  tell(): {
    readonly json: JsonObject;
    readonly tracks: number;
    readonly time_s: number;
    readonly unbroken_s: number;
  } {
    const isLong = ({ seen }: BoxTrack | PointTrack) => this.#length_s(seen) >= this.#knobs.min_track_s;
    const boxes = this.#found > 0 ? this.#boxes.end().filter(isLong) : [];
    const points = this.#found > 0 ? [] : this.#points.end().filter(isLong);
    const kept = longest(points, ({ seen }) => this.#length_s(seen));
    const all = [...boxes, ...kept];
    const time_s = all.reduce((sum, { seen }) => sum + this.#length_s(seen), 0);
    const unbroken = [...boxes.filter(isUnbroken), ...kept];
    const [width_px, height_px] = this.#size;
    const json = {
      ...{ follows: this.#found > 0 ? 'objects' : 'points', width_px, height_px },
      frames: {
        row: this.#frames.map(({ row }) => row),
        time_s: this.#frames.map(({ time_s: at }) => micro(at)),
      },
      left_out: points.length - kept.length,
      tracks: [...boxes.map(boxJson), ...kept.map(pointJson)],
    };
    return {
      ...{ json, time_s, tracks: all.length },
      unbroken_s: unbroken.reduce((sum, { seen }) => sum + this.#length_s(seen), 0),
    };
  }

  #length_s(seen: readonly { readonly frame: number }[]): number {
    return this.#frames[seen.at(-1)!.frame].time_s - this.#frames[seen[0].frame].time_s;
  }
}

/** Seen in every frame, each time near to where it was before. */
const isUnbroken = ({ seen }: BoxTrack): boolean =>
  seen.every(
    ({ frame, box }, at) =>
      at === 0 || (frame === seen[at - 1].frame + 1 && overlap(box, seen[at - 1].box) >= leap),
  );

function longest(
  tracks: readonly PointTrack[],
  length: (track: PointTrack) => number,
): readonly PointTrack[] {
  const sorted = [...tracks].sort((a, b) => length(b) - length(a) || a.id - b.id);
  return sorted.slice(0, mostPointTracks).sort((a, b) => a.id - b.id);
}

const px = (value: number): number => Math.round(value * 10) / 10;

const boxJson = ({ id, label, seen }: BoxTrack): JsonObject => ({
  ...{ id, label, frame: seen.map(({ frame }) => frame) },
  box: seen.map(({ box }) => box.map(px)),
  score: seen.map(({ score }) => significant(score, 3)),
});

const pointJson = ({ id, seen }: PointTrack): JsonObject => ({
  ...{ id, frame: seen.map(({ frame }) => frame) },
  point: seen.map(({ point }) => point.map(px)),
});
