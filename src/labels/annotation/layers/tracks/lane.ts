import { type JsonObject, significant } from '#core';
import { type Point, PointFlow, pointFlowSettings } from '#labels/models';
import { parseObjectLabels } from '../../artifact-schemas.ts';
import { type Lane, type LaneContext, type LaneFrame, mainPart, roundToMicroseconds } from '../../lane.ts';
import { boxIou, type Detection, type Detector, openDetector } from '../../vision/detection.ts';
import { CameraNotes } from '../../vision/frame-selection.ts';
import { type BoxTrack, ByteTrack, byteTrackId, byteTrackSettings } from './byte-track.ts';

/**
 * Tracks objects with ByteTrack, on boxes of `object_labels` if they are frequent enough, else on its own detections.
 * Cameras without detections get point tracks.
 */
export const lane: Lane = {
  version: 1,
  run: async (_, context) => {
    const { config } = context;
    const labelled = readLabelledBoxes(await context.output('object_labels'));
    const knobs: TrackKnobs = {
      min_track_s: Number(config.min_track_s),
      max_gap_s: Number(config.max_gap_s),
      rate_hz: Math.min(trackingRate_hz, labelled?.rate_hz ?? trackingRate_hz),
    };
    const detector = labelled === null ? await openDetector(context) : null;
    const detectionsFor = async (frame: LaneFrame): Promise<readonly Detection[] | null> =>
      labelled === null
        ? detector!.detect(frame, byteTrackSettings.unsure)
        : (labelled.cameras.get(frame.camera)?.get(toMilliseconds(frame.time_s)) ?? null);
    const notes = new CameraNotes();
    context.useAlgorithm('tracking', byteTrackId);
    using flow = await PointFlow.create();
    const cameras = await trackAll(context, {
      notes,
      detectionsFor,
      createTracks: () => new CameraTracks(knobs, flow),
    });
    notes.requireFrames();
    return buildOutput(cameras, notes, detector);
  },
};

interface TrackingInputs {
  readonly notes: CameraNotes;
  /** Returns the detections of a frame; `null` if that frame was not labelled. */
  readonly detectionsFor: (frame: LaneFrame) => Promise<readonly Detection[] | null>;
  readonly createTracks: () => CameraTracks;
}

async function trackAll(
  context: LaneContext,
  { notes, detectionsFor, createTracks }: TrackingInputs,
): Promise<ReadonlyMap<string, CameraTracks>> {
  const cameras = new Map<string, CameraTracks>();
  for await (const batch of context.frames()) {
    notes.add(batch);
    const own = cameras.get(batch.camera) ?? createTracks();
    cameras.set(batch.camera, own);
    const missing = batch.missing.map(({ row, time_s }) => ({ row, time_s }));
    const all = [...batch.frames, ...missing].sort((a, b) => a.row - b.row);
    for (const frame of all) {
      context.signal.throwIfAborted();
      context.progress();
      const found = 'rgb' in frame ? await detectionsFor(frame) : null;
      if ('rgb' in frame && found !== null) own.add(frame, found);
      else if (!('rgb' in frame)) own.addMissing(frame);
    }
  }
  return cameras;
}

function buildOutput(
  cameras: ReadonlyMap<string, CameraTracks>,
  notes: CameraNotes,
  detector: Detector | null,
): Awaited<ReturnType<Lane['run']>> {
  const summaries = new Map([...cameras].map(([camera, own]) => [camera, own.summary()]));
  const all = [...summaries.values()];
  const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0);
  const [tracks, time_s] = [sum((one) => one.tracks), sum((one) => one.time_s)];
  const json: JsonObject = {
    boxes_of: detector === null ? 'object_labels' : detector.model,
    cameras: notes.json().map((note) => ({ ...note, ...summaries.get(String(note.camera))?.json })),
    method: {
      objects: { id: byteTrackId, settings: byteTrackSettings },
      points: { id: 'opencv/pyramidal-lucas-kanade', settings: pointFlowSettings as unknown as JsonObject },
    },
    schema: 'assay/tracks/v1',
  };
  return {
    parts: [{ name: mainPart, media_type: 'application/json', json }],
    counts: { cameras: cameras.size, tracks },
    quality: time_s > 0 ? significant(sum((one) => one.unbroken_s) / time_s, 4) : null,
    quality_reason: time_s > 0 ? null : 'no object could be tracked for long enough',
  };
}

/** Tracked frames per second; objects move too far between fewer. */
export const trackingRate_hz = 10;

/** Boxes of an `object_labels` artifact. */
interface LabelledBoxes {
  /** Detections by camera and millisecond. */
  readonly cameras: ReadonlyMap<string, ReadonlyMap<number, readonly Detection[]>>;
  /** Labelled frames per second, of the camera with the fewest. */
  readonly rate_hz: number;
}

/** Minimum labelled frames per second for tracking on existing boxes. */
const minLabelRate_hz = 5;

/**
 * Returns the boxes of an `object_labels` artifact by camera and time; `null` without one, or if a camera has fewer
 * than `minLabelRate_hz` frames per second.
 */
export function readLabelledBoxes(artifact: JsonObject | null): LabelledBoxes | null {
  const cameras = new Map<string, Map<number, readonly Detection[]>>();
  for (const { camera, time_s, boxes } of parseObjectLabels(artifact)?.frames ?? []) {
    const own = cameras.get(camera) ?? new Map<number, readonly Detection[]>();
    cameras.set(camera, own.set(toMilliseconds(time_s), boxes));
  }
  const rates = [...cameras.values()].map((times) => meanRate([...times.keys()]));
  const rate_hz = Math.min(...rates);
  return rates.length > 0 && rate_hz >= minLabelRate_hz ? { cameras, rate_hz } : null;
}

const meanRate = (times_ms: readonly number[]): number =>
  times_ms.length < 2 ? 0 : (1000 * (times_ms.length - 1)) / (times_ms.at(-1)! - times_ms[0]);

const toMilliseconds = (time_s: number): number => Math.round(1000 * time_s);

interface TrackKnobs {
  /** Minimum duration of a track. */
  readonly min_track_s: number;
  /** Maximum time for which a track may be lost. */
  readonly max_gap_s: number;
  /** Tracked frames per second. */
  readonly rate_hz: number;
}

/** Maximum number of point tracks per camera; the longest are kept. */
const maxPointTracks = 200;
/** Minimum IoU between consecutive boxes of an unbroken track. */
const minStepIou = 0.1;

/** Tracks objects in the frames of one camera, or corner points if no object is detected. */
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

  /**
   * Adds a frame: its detections to the object tracks and, until a first object is detected, its picture to the point
   * tracks.
   */
  add(frame: LaneFrame, found: readonly Detection[]): void {
    const { row, time_s, stored_px } = frame;
    this.#size = stored_px;
    this.#boxes.add(found);
    this.#found += this.#boxes.countConfident(found);
    if (this.#found === 0) this.#points.add(frame, this.#frames.length);
    this.#frames.push({ row, time_s });
  }

  /**
   * Adds a frame that cannot be decoded: point tracks end, object tracks continue if they are found again in time.
   */
  addMissing(missing: Pick<LaneFrame, 'row' | 'time_s'>): void {
    this.#boxes.add([]);
    this.#points.endAll();
    this.#frames.push(missing);
  }

  /**
   * Returns the artifact entry of the tracks that last at least `min_track_s`, their number, and their total
   * duration: all, and those without gap or jump.
   */
  summary(): {
    readonly json: JsonObject;
    readonly tracks: number;
    readonly time_s: number;
    readonly unbroken_s: number;
  } {
    const isLong = ({ detections }: BoxTrack | PointTrack) =>
      this.#length_s(detections) >= this.#knobs.min_track_s;
    const boxes = this.#found > 0 ? this.#boxes.finish().filter(isLong) : [];
    const points = this.#found > 0 ? [] : this.#points.finish().filter(isLong);
    const retained = longestTracks(points, ({ detections }) => this.#length_s(detections));
    const all = [...boxes, ...retained];
    const time_s = all.reduce((sum, { detections }) => sum + this.#length_s(detections), 0);
    const unbroken = [...boxes.filter(isUnbroken), ...retained];
    const [width_px, height_px] = this.#size;
    const json = {
      ...{ follows: this.#found > 0 ? 'objects' : 'points', width_px, height_px },
      frames: {
        row: this.#frames.map(({ row }) => row),
        time_s: this.#frames.map(({ time_s: at }) => roundToMicroseconds(at)),
      },
      left_out: points.length - retained.length,
      tracks: [...boxes.map(boxJson), ...retained.map(pointJson)],
    };
    return {
      ...{ json, time_s, tracks: all.length },
      unbroken_s: unbroken.reduce((sum, { detections }) => sum + this.#length_s(detections), 0),
    };
  }

  #length_s(detections: readonly { readonly frame: number }[]): number {
    return this.#frames[detections.at(-1)!.frame].time_s - this.#frames[detections[0].frame].time_s;
  }
}

/** Returns whether a track was detected in every frame without a jump. */
const isUnbroken = ({ detections }: BoxTrack): boolean =>
  detections.every(
    ({ frame, box }, at) =>
      at === 0 ||
      (frame === detections[at - 1].frame + 1 && boxIou(box, detections[at - 1].box) >= minStepIou),
  );

function longestTracks(
  tracks: readonly PointTrack[],
  length: (track: PointTrack) => number,
): readonly PointTrack[] {
  const sorted = [...tracks].sort((a, b) => length(b) - length(a) || a.id - b.id);
  return sorted.slice(0, maxPointTracks).sort((a, b) => a.id - b.id);
}

const roundTenth = (value: number): number => Math.round(value * 10) / 10;

const boxJson = ({ id, label, detections }: BoxTrack): JsonObject => ({
  ...{ id, label, frame: detections.map(({ frame }) => frame) },
  box: detections.map(({ box }) => box.map(roundTenth)),
  score: detections.map(({ score }) => significant(score, 3)),
});

const pointJson = ({ id, detections }: PointTrack): JsonObject => ({
  ...{ id, frame: detections.map(({ frame }) => frame) },
  point: detections.map(({ point }) => point.map(roundTenth)),
});

/** Maximum number of points tracked at once; new ones are added when fewer than half remain. */
const maxPoints = 100;

/** Track of a point, in px of the recorded picture. */
interface PointTrack {
  readonly id: number;
  readonly detections: { readonly frame: number; readonly point: Point }[];
}

interface ActivePointTrack extends PointTrack {
  /** Position in px of the analysed frame. */
  latest: Point;
}

/** Tracks points through the frames of one camera. */
class PointTracks {
  readonly #flow: PointFlow;
  readonly #ended: PointTrack[] = [];
  #live: readonly ActivePointTrack[] = [];
  #ids = 0;

  constructor(flow: PointFlow) {
    this.#flow = flow;
  }

  add(picture: LaneFrame, frame: number): void {
    this.#flow.addPicture(picture);
    const moved = this.#flow.track(this.#live.map(({ latest }) => latest));
    const retained: ActivePointTrack[] = [];
    for (const [at, track] of this.#live.entries()) {
      const point = moved[at];
      if (point === null) this.#ended.push(track);
      else {
        track.latest = point;
        track.detections.push({ frame, point: toStoredPoint(point, picture) });
        retained.push(track);
      }
    }
    this.#live = retained;
    if (retained.length >= maxPoints / 2) return;
    const taken = retained.map(({ latest }) => latest);
    const begun = this.#flow
      .findCorners(maxPoints - retained.length, taken)
      .map((point): ActivePointTrack => {
        const detections = [{ frame, point: toStoredPoint(point, picture) }];
        return { id: this.#ids++, latest: point, detections };
      });
    this.#live = [...retained, ...begun];
  }

  /** Ends all tracks, because frames are missing. */
  endAll(): void {
    this.#ended.push(...this.#live);
    this.#live = [];
  }

  /** Returns all tracks with at least two positions, in order of creation. */
  finish(): readonly PointTrack[] {
    this.endAll();
    return this.#ended.filter(({ detections }) => detections.length > 1).sort((a, b) => a.id - b.id);
  }
}

/** Converts a point to px of the recorded picture, from pixel-centre to pixel-corner coordinates. */
const toStoredPoint = (
  [x, y]: Point,
  { width_px, height_px, stored_px: [width, height] }: LaneFrame,
): Point => [((x + 0.5) * width) / width_px, ((y + 0.5) * height) / height_px];
