import { z } from 'zod';
import type { JsonObject } from '#core';
import type { LayerId } from '#core/api';
import type { LaneContext, LaneEpisode } from '../../lane.ts';
import { type Fact, type Facts, inapplicable, told, unknown } from './fact.ts';

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
function placeOf(frames: ReadonlyMap<string, number>): JsonObject | null {
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

const frames = <Item extends z.ZodType>(name: string, item: Item) =>
  z.object({ frames: z.array(z.object({ [name]: z.array(item) })) });
const boxes = frames('boxes', z.object({ label: z.string(), score: z.number() }));
const people = frames('people', z.unknown());
const hands = frames('hands', z.unknown());

/** Layers that look for things in pictures. */
export const lookingLayers = [
  'object_labels',
  'body_pose',
  'hand_pose',
] as const satisfies readonly LayerId[];
type Looking = Readonly<Partial<Record<(typeof lookingLayers)[number], JsonObject | null>>>;

/** Who and what other layers saw; nothing where none of them has looked. */
export async function seenFacts(
  { facts: { streams } }: LaneEpisode,
  { output }: Pick<LaneContext, 'output'>,
): Promise<Facts> {
  if (!streams.some(({ role }) => role === 'camera')) {
    const none = inapplicable('it holds no pictures');
    return { environment: none, hands_seen: none, people_seen: none };
  }
  const looked: Partial<Record<(typeof lookingLayers)[number], JsonObject | null>> = {};
  for (const layer of lookingLayers) looked[layer] = await output(layer);
  return factsOfSeen(looked);
}

/** The same of artifacts that are at hand. */
export function factsOfSeen({ object_labels, body_pose, hand_pose }: Looking): Facts {
  const labels = boxes.safeParse(object_labels).data?.frames.map((one) => one.boxes) ?? null;
  const bodies = people.safeParse(body_pose).data?.frames.map((one) => one.people) ?? null;
  const own = hands.safeParse(hand_pose).data?.frames.map((one) => one.hands) ?? null;
  const persons = labels?.map((all) => all.filter(({ label }) => label === 'person')) ?? null;
  return {
    environment: labels === null ? nobodyLooked(['object_labels']) : environmentOf(labels),
    hands_seen: own === null ? nobodyLooked(['hand_pose']) : seen('hand_pose', own),
    people_seen:
      persons !== null
        ? seen('object_labels', persons)
        : bodies !== null
          ? seen('body_pose', bodies)
          : nobodyLooked(['object_labels', 'body_pose']),
  };
}

const nobodyLooked = (layers: readonly LayerId[]): Fact =>
  unknown(`${layers.join(' or ')} has not looked at it`);

function seen(layer: LayerId, found: readonly (readonly unknown[])[]): Fact {
  const value: JsonObject = {
    by: layer,
    frames: found.length,
    frames_with: found.filter((all) => all.length > 0).length,
    most_at_once: Math.max(0, ...found.map((all) => all.length)),
  };
  return told(value);
}

function environmentOf(
  labels: readonly (readonly { readonly label: string; readonly score: number }[])[],
): Fact {
  const counts = new Map<string, number>();
  for (const all of labels)
    for (const label of new Set(all.filter(({ score }) => score >= sure).map((one) => one.label)))
      counts.set(label, (counts.get(label) ?? 0) + 1);
  const place = placeOf(counts);
  return place === null ? unknown('nothing that was seen tells where it is') : told(place);
}

/** Confidence from which on an object speaks for a place. */
const sure = 0.5;
