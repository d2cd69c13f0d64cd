import { z } from 'zod';
import type { JsonObject } from '#core';
import type { LayerId } from '#core/api';
import type { LaneContext, LaneEpisode } from '../../lane.ts';
import { type Fact, type Facts, inapplicableFact, knownFact, unknownFact } from './facts.ts';

/** COCO classes that indicate a kind of place. */
const placeClasses: Readonly<Record<string, readonly string[]>> = {
  bathroom: ['toilet', 'hair drier', 'toothbrush'],
  bedroom: ['bed'],
  kitchen: ['oven', 'refrigerator', 'microwave', 'toaster', 'sink'],
  office: ['keyboard', 'mouse', 'laptop'],
  street: ['traffic light', 'stop sign', 'parking meter', 'fire hydrant', 'bus', 'truck'],
};

/**
 * Minimum evidence for a place: `sightings` over all frames in at least `classes` classes, or `frames_of_one`
 * sightings.
 */
const minPlaceEvidence = { sightings: 2, classes: 2, frames_of_one: 5 } as const;

/**
 * Returns the most likely place from the number of frames per class; `null` if no place has enough evidence or two
 * are tied.
 */
function guessPlace(frames: ReadonlyMap<string, number>): JsonObject | null {
  const places = Object.entries(placeClasses)
    .map(([place, classes]) => {
      const seen = classes.flatMap((label) => {
        const count = frames.get(label);
        return count === undefined ? [] : [{ frames: count, label }];
      });
      return { place, seen: seen, sightings: seen.reduce((sum, one) => sum + one.frames, 0) };
    })
    .filter(
      ({ seen, sightings }) =>
        (seen.length >= minPlaceEvidence.classes && sightings >= minPlaceEvidence.sightings) ||
        sightings >= minPlaceEvidence.frames_of_one,
    )
    .sort((a, b) => b.sightings - a.sightings);
  const [first, second] = places;
  if (first === undefined || first.sightings === second?.sightings) return null;
  return { place: first.place, seen: first.seen };
}

const framesSchema = <Item extends z.ZodType>(name: string, item: Item) =>
  z.object({ frames: z.array(z.object({ [name]: z.array(item) })) });
const boxesSchema = framesSchema('boxes', z.object({ label: z.string(), score: z.number() }));
const peopleSchema = framesSchema('people', z.unknown());
const handsSchema = framesSchema('hands', z.unknown());

/** Layers that detect things in pictures. */
export const detectionLayers = [
  'object_labels',
  'body_pose',
  'hand_pose',
] as const satisfies readonly LayerId[];
type DetectionArtifacts = Readonly<Partial<Record<(typeof detectionLayers)[number], JsonObject | null>>>;

/**
 * Returns facts about people, hands and environment from the output of other layers; inapplicable without a camera,
 * unknown for layers that did not run.
 */
export async function detectedFacts(
  { facts: { streams } }: LaneEpisode,
  { output }: Pick<LaneContext, 'output'>,
): Promise<Facts> {
  if (!streams.some(({ role }) => role === 'camera')) {
    const none = inapplicableFact('no images');
    return { environment: none, hands_seen: none, people_seen: none };
  }
  const artifacts: Partial<Record<(typeof detectionLayers)[number], JsonObject | null>> = {};
  for (const layer of detectionLayers) artifacts[layer] = await output(layer);
  return computeDetectedFacts(artifacts);
}

/**
 * Returns facts about people, hands and environment from the artifacts of the detection layers; unknown for layers
 * whose artifact is missing or invalid.
 */
export function computeDetectedFacts({ object_labels, body_pose, hand_pose }: DetectionArtifacts): Facts {
  const labels = boxesSchema.safeParse(object_labels).data?.frames.map((one) => one.boxes) ?? null;
  const bodies = peopleSchema.safeParse(body_pose).data?.frames.map((one) => one.people) ?? null;
  const own = handsSchema.safeParse(hand_pose).data?.frames.map((one) => one.hands) ?? null;
  const persons = labels?.map((all) => all.filter(({ label }) => label === 'person')) ?? null;
  return {
    environment: labels === null ? notRunFact(['object_labels']) : environmentFact(labels),
    hands_seen: own === null ? notRunFact(['hand_pose']) : countFact('hand_pose', own),
    people_seen:
      persons !== null
        ? countFact('object_labels', persons)
        : bodies !== null
          ? countFact('body_pose', bodies)
          : notRunFact(['object_labels', 'body_pose']),
  };
}

const notRunFact = (layers: readonly LayerId[]): Fact =>
  unknownFact(`${layers.join(' or ')} has not run on this episode`);

function countFact(layer: LayerId, found: readonly (readonly unknown[])[]): Fact {
  const value: JsonObject = {
    by: layer,
    frames: found.length,
    frames_with: found.filter((all) => all.length > 0).length,
    most_at_once: Math.max(0, ...found.map((all) => all.length)),
  };
  return knownFact(value);
}

function environmentFact(
  labels: readonly (readonly { readonly label: string; readonly score: number }[])[],
): Fact {
  const counts = new Map<string, number>();
  for (const all of labels)
    for (const label of new Set(all.filter(({ score }) => score >= minPlaceScore).map((one) => one.label)))
      counts.set(label, (counts.get(label) ?? 0) + 1);
  const place = guessPlace(counts);
  return place === null
    ? unknownFact('the detected objects do not indicate an environment')
    : knownFact(place);
}

/** Minimum score of an object that counts as evidence for a place. */
const minPlaceScore = 0.5;
