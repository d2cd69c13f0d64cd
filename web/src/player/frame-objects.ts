import type { JsonValue } from '#client';

/** An object that a layer found in a frame. */
interface FrameObject {
  readonly label: string;
  /** Id of the track, confidence from 0 to 1, or share of the frame, such as `#3`, `0.87` or `12 %`. */
  readonly note: string;
}

/** Objects that a layer found in a frame of a camera, best first. */
export interface ObjectFrame {
  readonly camera: string;
  readonly time_s: number;
  readonly objects: readonly FrameObject[];
}

/** A label with the number of frames that contain it and the time of the first. */
export interface LabelSummary {
  readonly label: string;
  readonly frames: number;
  readonly first_s: number;
}

/** Layers whose annotations name objects. */
export const objectLayers = ['object_labels', 'segmentation', 'tracks'] as const;
export type ObjectLayer = (typeof objectLayers)[number];

type Fields = Readonly<Record<string, JsonValue>>;

const fieldsOf = (value: JsonValue | undefined): readonly Fields[] =>
  Array.isArray(value)
    ? value.filter(
        (each): each is Fields => typeof each === 'object' && each !== null && !Array.isArray(each),
      )
    : [];
const numbersOf = (value: JsonValue | undefined): readonly number[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'number') : [];
const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const numberOf = (value: JsonValue | undefined): number => (typeof value === 'number' ? value : 0);

/** Returns the frames of a layer's annotation with their objects, by time; what it cannot read is left out. */
export function readObjectFrames(layer: ObjectLayer, artifact: Fields): ObjectFrame[] {
  const frames = layer === 'tracks' ? readTracks(artifact) : readFrames(layer, artifact);
  return frames.sort((a, b) => a.time_s - b.time_s);
}

function readFrames(layer: ObjectLayer, artifact: Fields): ObjectFrame[] {
  return fieldsOf(artifact.frames).map((frame) => {
    const pixels = numberOf(frame.width_px) * numberOf(frame.height_px);
    const rows =
      layer === 'object_labels'
        ? fieldsOf(frame.boxes).map(({ label, score }) => ({
            ...{ label: textOf(label), rank: numberOf(score), note: numberOf(score).toFixed(2) },
          }))
        : fieldsOf(frame.labels).map(({ label, pixels: own }) => ({
            ...{ label: textOf(label), rank: numberOf(own) },
            note: `${Math.round((100 * numberOf(own)) / Math.max(1, pixels))} %`,
          }));
    const objects = rows.sort((a, b) => b.rank - a.rank).map(({ label, note }) => ({ label, note }));
    return { camera: textOf(frame.camera), time_s: numberOf(frame.time_s), objects };
  });
}

/** Tracks list the frames that contain them; points without a label are not objects. */
function readTracks(artifact: Fields): ObjectFrame[] {
  return fieldsOf(artifact.cameras).flatMap(({ camera, frames, tracks }) => {
    const times = numbersOf(fieldsOf([frames ?? null])[0]?.time_s);
    const objects = times.map((): FrameObject[] => []);
    for (const { id, label, frame } of fieldsOf(tracks)) {
      if (textOf(label) === '') continue;
      for (const at of numbersOf(frame))
        objects[at]?.push({ label: textOf(label), note: `#${numberOf(id)}` });
    }
    return times.map((time_s, at) => ({ camera: textOf(camera), time_s, objects: objects[at] }));
  });
}

/** Returns the frames of each camera, in the same order. */
export const groupByCamera = (frames: readonly ObjectFrame[]): readonly (readonly ObjectFrame[])[] => [
  ...Map.groupBy(frames, ({ camera }) => camera).values(),
];

/**
 * Returns the index of the frame of a camera that an annotation drawn at a time shows: the last until then, or the
 * first. Binary search, because it runs with every frame of the video.
 */
export function frameIndexAt(frames: readonly ObjectFrame[], time_s: number): number {
  let [low, high] = [0, frames.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (frames[middle].time_s <= time_s) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** Returns all labels of an annotation, those of most frames first. */
export function summariseLabels(frames: readonly ObjectFrame[]): LabelSummary[] {
  const labels = new Map<string, LabelSummary>();
  for (const { time_s, objects } of frames)
    for (const label of new Set(objects.map((each) => each.label))) {
      const { frames: before = 0, first_s = time_s } = labels.get(label) ?? {};
      labels.set(label, { label, frames: before + 1, first_s });
    }
  return [...labels.values()].sort((a, b) => b.frames - a.frames || a.first_s - b.first_s);
}
