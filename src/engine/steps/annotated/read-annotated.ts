import { z } from 'zod';
import { AssayError } from '#core';
import type { Annotated, PictureMask, Sighting, SightingLayer, Sightings } from '#formats/write';
import type { ExportedLayer } from './exported-layers.ts';

/** Null: the layer is not there. Throws `unreadable_input` where the artifact is of another shape. */
type ReadArtifact = <T>(layer: ExportedLayer, shape: z.ZodType<T>) => T | null;

const rleShape = z.object({ size: z.tuple([z.number(), z.number()]), counts: z.string() });

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
function sightingsOf(said: ReadArtifact): Annotated['sightings'] {
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

/** What a layer wrote of an episode. */
export interface FoundArtifact {
  /** As JSON was parsed. */
  readonly value: unknown;
  /** Of its bytes. */
  readonly sha256: string;
}

/** Artifacts of an episode by layer, and what a person wrote over its dense text. */
export interface FoundAnnotations {
  readonly artifacts: Readonly<Partial<Record<ExportedLayer, FoundArtifact>>>;
  readonly written: string | null;
}

interface Named {
  readonly id: string;
  readonly index: number;
}

/** What layers that a format has a place for say of the episodes of a dataset. */
export interface AnnotationSource {
  /** Those of them that say something of the episode. */
  layers(episode: Named): readonly ExportedLayer[];
  /** Null: nothing. */
  read(episode: Named): Promise<FoundAnnotations | null>;
}

export const segmentsShape = z.object({
  segments: z.array(z.object({ from_s: z.number(), to_s: z.number(), kind: z.string() })),
});
export const captionsShape = z.object({
  windows: z.array(z.object({ from_s: z.number(), to_s: z.number(), text: z.string() })),
});
const textShape = z.object({ text: z.string() });
const masksShape = z.object({
  frames: z.array(
    z.object({
      camera: z.string(),
      row: z.number(),
      labels: z.array(
        z.object({
          label: z.string(),
          pixels: z.number(),
          rle: rleShape,
        }),
      ),
    }),
  ),
});

/** What an export takes of it. Throws `unreadable_input` where an artifact is not what its layer writes. */
export function annotatedOf({ artifacts, written }: FoundAnnotations): Annotated {
  const said: ReadArtifact = (layer, shape) => {
    const artifact = artifacts[layer];
    if (artifact === undefined) return null;
    const read = shape.safeParse(artifact.value);
    if (read.success) return read.data;
    throw new AssayError('unreadable_input', `the annotation ${layer} is not what its layer writes`, {
      advice: 'annotate again',
    });
  };
  const text = written ?? said('dense_text', textShape)?.text ?? null;
  return {
    segments: said('segments', segmentsShape)?.segments ?? null,
    captions: (said('captions', captionsShape)?.windows ?? []).filter((one) => one.text !== ''),
    text: text === '' ? null : text,
    masks: masksOf(said('segmentation', masksShape)?.frames ?? []),
    sightings: sightingsOf(said),
  };
}

const masksOf = (frames: z.infer<typeof masksShape>['frames']): ReadonlyMap<string, readonly PictureMask[]> =>
  new Map(frames.map(({ camera, row, labels }) => [`${camera} ${row}`, labels]));
