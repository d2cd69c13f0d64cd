import { z } from 'zod';
import type { Annotated, Sighting, SightingLayer, Sightings } from '#formats/write';
import type { ExportedLayer } from './exported-layers.ts';

/** Null: the layer is not there. Throws `unreadable_input` where the artifact is of another shape. */
export type ReadArtifact = <T>(layer: ExportedLayer, shape: z.ZodType<T>) => T | null;

export const rleShape = z.object({ size: z.tuple([z.number(), z.number()]), counts: z.string() });

const box = z.tuple([z.number(), z.number(), z.number(), z.number()]);
const picture = z.object({
  camera: z.string(),
  row: z.number(),
  width_px: z.number(),
  height_px: z.number(),
});
const points = z.array(z.array(z.number()).min(2));
const objectsShape = z.object({
  frames: z.array(
    picture.extend({
      boxes: z.array(z.object({ label: z.string(), score: z.number(), box, mask: rleShape.nullish() })),
    }),
  ),
});
const bodiesShape = z.object({
  keypoints: z.array(z.string()),
  frames: z.array(
    picture.extend({ people: z.array(z.object({ box, keypoints: points, score: z.number() })) }),
  ),
});
const hand = z.object({
  ...{ box, keypoints: points, score: z.number() },
  ...{ handedness: z.string(), handedness_score: z.number() },
});
const handsShape = z.object({
  keypoints: z.array(z.string()),
  frames: z.array(picture.extend({ hands: z.array(hand) })),
});
const tracksShape = z.object({
  cameras: z.array(
    z.object({
      camera: z.string(),
      // A camera of which nothing was decoded has none of these.
      width_px: z.number().default(0),
      height_px: z.number().default(0),
      frames: z.object({ row: z.array(z.number()) }).default({ row: [] }),
      tracks: z
        .array(
          z.object({
            id: z.number(),
            label: z.string().optional(),
            frame: z.array(z.number()),
            box: z.array(box).optional(),
            score: z.array(z.number()).optional(),
            point: points.optional(),
          }),
        )
        .default([]),
    }),
  ),
});

type Picture = z.infer<typeof picture>;

/** What layers found in pictures. */
export function sightingsOf(said: ReadArtifact): Annotated['sightings'] {
  const [objects, bodies] = [said('object_labels', objectsShape), said('body_pose', bodiesShape)];
  const [hands, tracks] = [said('hand_pose', handsShape), said('tracks', tracksShape)];
  const all: Partial<Record<SightingLayer, Sightings>> = {};
  if (objects !== null)
    all.object_labels = byPicture(objects.frames, ({ boxes }) =>
      boxes.map(({ mask = null, ...own }) => ({ ...own, mask })),
    );
  if (tracks !== null)
    all.tracks = { at: grouped(tracks.cameras.flatMap((camera) => trackPlaces(camera))), point_names: null };
  if (bodies !== null)
    all.body_pose = byPicture(
      bodies.frames,
      ({ people }) => people.map(({ keypoints, ...own }) => ({ ...own, points: keypoints })),
      bodies.keypoints,
    );
  if (hands !== null)
    all.hand_pose = byPicture(
      hands.frames,
      (frame) =>
        frame.hands.map(({ keypoints, handedness, handedness_score, ...own }) => {
          return { ...own, points: keypoints, label: handedness, label_score: handedness_score };
        }),
      hands.keypoints,
    );
  return all;
}

const unsaid = {
  track_id: null,
  label: null,
  score: null,
  label_score: null,
  box: null,
  points: null,
  mask: null,
};
type Said = Partial<Omit<Sighting, 'size_px'>>;

function byPicture<P extends Picture>(
  pictures: readonly P[],
  seenIn: (one: P) => readonly Said[],
  point_names: readonly string[] | null = null,
): Sightings {
  const at = pictures.map((one) => {
    const size_px = [one.width_px, one.height_px] as const;
    const all = seenIn(one).map((said): Sighting => ({ ...unsaid, ...said, size_px }));
    return [`${one.camera} ${one.row}`, all] as const;
  });
  return { at: new Map(at), point_names };
}

type Place = readonly [picture: string, sighting: Sighting];

function trackPlaces({
  camera,
  width_px,
  height_px,
  frames,
  tracks,
}: z.infer<typeof tracksShape>['cameras'][number]): Place[] {
  return tracks.flatMap((track) =>
    track.frame.map((frame, at): Place => {
      const point = track.point?.[at];
      const said: Said = {
        track_id: track.id,
        label: track.label ?? null,
        score: track.score?.[at] ?? null,
        box: track.box?.[at] ?? null,
        points: point === undefined ? null : [point],
      };
      return [`${camera} ${frames.row[frame]}`, { ...unsaid, ...said, size_px: [width_px, height_px] }];
    }),
  );
}

function grouped(places: readonly Place[]): Sightings['at'] {
  const all = Map.groupBy(places, ([picture]) => picture);
  return new Map([...all].map(([picture, own]) => [picture, own.map(([, sighting]) => sighting)]));
}
