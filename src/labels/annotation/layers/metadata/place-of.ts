import type { JsonObject } from '#core';

/** Classes of COCO that stand in one kind of place and hardly elsewhere. */
const speaksFor: Readonly<Record<string, readonly string[]>> = {
  bathroom: ['toilet', 'hair drier', 'toothbrush'],
  bedroom: ['bed'],
  kitchen: ['oven', 'refrigerator', 'microwave', 'toaster', 'sink'],
  office: ['keyboard', 'mouse', 'laptop'],
  street: ['traffic light', 'stop sign', 'parking meter', 'fire hydrant', 'bus', 'truck'],
};

/** So many sightings, frame by frame, a place needs, of two classes or more, or of one in this many frames. */
const least = { sightings: 2, classes: 2, frames_of_one: 5 } as const;

/**
 * Where it is, by what was seen: `frames` says in how many frames each class was. Null: no place is spoken for, or two
 * alike.
 */
export function placeOf(frames: ReadonlyMap<string, number>): JsonObject | null {
  const places = Object.entries(speaksFor)
    .map(([place, classes]) => {
      const seen = classes.flatMap((label) => {
        const count = frames.get(label);
        return count === undefined ? [] : [{ frames: count, label }];
      });
      return { place, seen, sightings: seen.reduce((sum, one) => sum + one.frames, 0) };
    })
    .filter(
      ({ seen, sightings }) =>
        (seen.length >= least.classes && sightings >= least.sightings) || sightings >= least.frames_of_one,
    )
    .sort((a, b) => b.sightings - a.sightings);
  const [first, second] = places;
  if (first === undefined || first.sightings === second?.sightings) return null;
  return { place: first.place, seen: first.seen };
}
