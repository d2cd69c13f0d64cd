import { type JsonObject, significant } from '#core';
import { type Point, PointFlow, pointFlowSettings } from '#labels/models';
import { type Detection, overlap } from '../../detection/boxes.ts';
import { type Detector, openDetector } from '../../detection/open-detector.ts';
import { readObjects } from '../../grammar/known-objects.ts';
import { type Lane, type LaneContext, type LaneFrame, mainPart } from '../../lane.ts';
import { micro } from '../../micro.ts';
import { CameraNotes } from '../../pictures/camera-notes.ts';
import { type BoxTrack, ByteTrack, byteTrackSettings } from './byte-track.ts';

/** Objects by ByteTrack, over boxes of `object_labels` where they are dense enough, else over boxes of its own. */
export const lane: Lane = {
  version: 1,
  requires: ['tracking', 'detection'],
  run: async (_, context) => {
    const { config } = context;
    const known = knownBoxes(await context.output('object_labels'));
    const knobs: TrackKnobs = {
      min_track_s: Number(config.min_track_s),
      max_gap_s: Number(config.max_gap_s),
      rate_hz: Math.min(tracked_hz, known?.rate_hz ?? tracked_hz),
    };
    const detector = known === null ? await openDetector(context) : null;
    const boxesOf = async (frame: LaneFrame): Promise<readonly Detection[] | null> =>
      known === null
        ? detector!.detect(frame, byteTrackSettings.unsure)
        : (known.cameras.get(frame.camera)?.get(millisecond(frame.time_s)) ?? null);
    const notes = new CameraNotes();
    using flow = await PointFlow.create();
    const cameras = await followAll(context, { notes, boxesOf, begin: () => new CameraTracks(knobs, flow) });
    notes.demandFrames();
    return outputOf(cameras, notes, detector);
  },
};

interface Following {
  readonly notes: CameraNotes;
  /** Null: nobody looked at that frame. */
  readonly boxesOf: (frame: LaneFrame) => Promise<readonly Detection[] | null>;
  readonly begin: () => CameraTracks;
}

async function followAll(
  context: LaneContext,
  { notes, boxesOf, begin }: Following,
): Promise<ReadonlyMap<string, CameraTracks>> {
  const cameras = new Map<string, CameraTracks>();
  for await (const batch of context.frames()) {
    notes.add(batch);
    const own = cameras.get(batch.camera) ?? begin();
    cameras.set(batch.camera, own);
    const gone = batch.missing.map(({ row, time_s }) => ({ row, time_s }));
    const all = [...batch.frames, ...gone].sort((a, b) => a.row - b.row);
    for (const frame of all) {
      context.signal.throwIfAborted();
      context.progress();
      const found = 'rgb' in frame ? await boxesOf(frame) : null;
      if ('rgb' in frame && found !== null) own.add(frame, found);
      else if (!('rgb' in frame)) own.miss(frame);
    }
  }
  return cameras;
}

function outputOf(
  cameras: ReadonlyMap<string, CameraTracks>,
  notes: CameraNotes,
  detector: Detector | null,
): Awaited<ReturnType<Lane['run']>> {
  const told = new Map([...cameras].map(([camera, own]) => [camera, own.tell()]));
  const all = [...told.values()];
  const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0);
  const [tracks, time_s] = [sum((one) => one.tracks), sum((one) => one.time_s)];
  const json: JsonObject = {
    boxes_of: detector === null ? 'object_labels' : detector.model,
    cameras: notes.json().map((note) => ({ ...note, ...told.get(String(note.camera))?.json })),
    method: {
      objects: { id: 'ifzhang/bytetrack', settings: byteTrackSettings },
      points: { id: 'opencv/pyramidal-lucas-kanade', settings: pointFlowSettings as unknown as JsonObject },
    },
    schema: 'assay/tracks/v1',
  };
  return {
    parts: [{ name: mainPart, media_type: 'application/json', json }],
    counts: { cameras: cameras.size, tracks },
    quality: time_s > 0 ? significant(sum((one) => one.unbroken_s) / time_s, 4) : null,
    quality_reason: time_s > 0 ? null : 'nothing could be followed for long enough',
  };
}

/** Frames that a tracker looks at in a second; objects move too far between fewer. */
export const tracked_hz = 10;

/** Boxes that the layer `object_labels` found. */
interface KnownBoxes {
  /** By camera and millisecond. */
  readonly cameras: ReadonlyMap<string, ReadonlyMap<number, readonly Detection[]>>;
  /** Frames of a second that it looked at, of the camera where they were fewest. */
  readonly rate_hz: number;
}

/** Frames of a second from which on boxes of another layer are followed. */
const followed_hz = 5;

/** Null: the layer did not look, or at too few frames of a second for objects to be followed. */
export function knownBoxes(artifact: JsonObject | null): KnownBoxes | null {
  const cameras = new Map<string, Map<number, readonly Detection[]>>();
  for (const { camera, time_s, boxes } of readObjects(artifact)?.frames ?? []) {
    const own = cameras.get(camera) ?? new Map<number, readonly Detection[]>();
    cameras.set(camera, own.set(millisecond(time_s), boxes));
  }
  const rates = [...cameras.values()].map((times) => rateOf([...times.keys()]));
  const rate_hz = Math.min(...rates);
  return rates.length > 0 && rate_hz >= followed_hz ? { cameras, rate_hz } : null;
}

const rateOf = (times_ms: readonly number[]): number =>
  times_ms.length < 2 ? 0 : (1000 * (times_ms.length - 1)) / (times_ms.at(-1)! - times_ms[0]);

const millisecond = (time_s: number): number => Math.round(1000 * time_s);

interface TrackKnobs {
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

/** Points that are followed at once; new ones are looked for when fewer than half are left. */
const mostPoints = 100;

/** The way of a point, in px of the stored picture. */
interface PointTrack {
  readonly id: number;
  readonly seen: { readonly frame: number; readonly point: Point }[];
}

interface Live extends PointTrack {
  /** In the picture that was looked at. */
  latest: Point;
}

/** Follows points through the frames of a camera. */
class PointTracks {
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
