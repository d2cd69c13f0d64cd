import { z } from 'zod';
import { AssayError, type JsonObject, sha256 } from '#core';
import type {
  DetectionLayer,
  EpisodeAnnotations,
  LayerDetection,
  LayerDetections,
  PictureMask,
} from '#formats/write';
import { type ExportedLayer, exportedLayers } from './exported-layers.ts';

/** SHA-256 per layer: of its artifact, or of the text that a person wrote over it. */
export type AnnotationHashes = Readonly<Partial<Record<ExportedLayer, string>>>;

/** Reads the annotations of episodes and records their hashes for the lineage. */
export class AnnotationTracker {
  readonly #byEpisode = new Map<string, AnnotationHashes>();

  /** Converts and records an episode's annotations; null if there are none. Throws as `parseAnnotations`. */
  read(id: string, found: StoredAnnotations | null): EpisodeAnnotations | null {
    if (found === null) return null;
    const { artifacts, written } = found;
    const own = exportedLayers.flatMap((layer) => {
      const hash = layer === 'dense_text' && written !== null ? sha256(written) : artifacts[layer]?.sha256;
      return hash === undefined ? [] : [[layer, hash] as const];
    });
    if (own.length === 0) return null;
    this.#byEpisode.set(id, Object.fromEntries(own));
    return parseAnnotations(found);
  }

  /** Returns the hashes of an episode's annotations; empty if there are none. */
  hashes(id: string): { readonly annotations?: AnnotationHashes } {
    const annotations = this.#byEpisode.get(id);
    return annotations === undefined ? {} : { annotations };
  }

  /** Returns the lineage entry for all recorded annotations; empty if there are none. */
  lineageEdits(): JsonObject[] {
    const all = [...this.#byEpisode.values()];
    if (all.length === 0) return [];
    const layers = exportedLayers.filter((layer) => all.some((own) => own[layer] !== undefined));
    return [{ edit: 'add_annotations', layers, episodes: all.length }];
  }
}

/**
 * Returns the artifact of a layer, or null if there is none. Throws `unreadable_input` if it does not match `shape`.
 */
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
      // Missing if no frame of the camera was decoded.
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

/** Returns detections in pictures, by layer. */
function readSightings(readArtifact: ReadArtifact): EpisodeAnnotations['sightings'] {
  const [objects, bodies] = [
    readArtifact('object_labels', objectsShape),
    readArtifact('body_pose', bodiesShape),
  ];
  const [hands, tracks] = [readArtifact('hand_pose', handsShape), readArtifact('tracks', tracksShape)];
  const all: Partial<Record<DetectionLayer, LayerDetections>> = {};
  if (objects !== null)
    all.object_labels = sightingsByPicture(objects.frames, ({ boxes }) =>
      boxes.map(({ mask = null, ...own }) => ({ ...own, mask })),
    );
  if (tracks !== null)
    all.tracks = {
      at: groupByPicture(tracks.cameras.flatMap((camera) => trackSightings(camera))),
      point_names: null,
    };
  if (bodies !== null)
    all.body_pose = sightingsByPicture(
      bodies.frames,
      ({ people }) => people.map(({ keypoints, ...own }) => ({ ...own, points: keypoints })),
      bodies.keypoints,
    );
  if (hands !== null)
    all.hand_pose = sightingsByPicture(
      hands.frames,
      (frame) =>
        frame.hands.map(({ keypoints, handedness, handedness_score, ...own }) => {
          return { ...own, points: keypoints, label: handedness, label_score: handedness_score };
        }),
      hands.keypoints,
    );
  return all;
}

const emptySighting = {
  track_id: null,
  label: null,
  score: null,
  label_score: null,
  box: null,
  points: null,
  mask: null,
};
type SightingFields = Partial<Omit<LayerDetection, 'size_px'>>;

function sightingsByPicture<P extends Picture>(
  pictures: readonly P[],
  listFields: (one: P) => readonly SightingFields[],
  point_names: readonly string[] | null = null,
): LayerDetections {
  const at = pictures.map((one) => {
    const size_px = [one.width_px, one.height_px] as const;
    const all = listFields(one).map((fields): LayerDetection => ({ ...emptySighting, ...fields, size_px }));
    return [`${one.camera} ${one.row}`, all] as const;
  });
  return { at: new Map(at), point_names };
}

type PlacedSighting = readonly [picture: string, sighting: LayerDetection];

function trackSightings({
  camera,
  width_px,
  height_px,
  frames,
  tracks,
}: z.infer<typeof tracksShape>['cameras'][number]): PlacedSighting[] {
  return tracks.flatMap((track) =>
    track.frame.map((frame, at): PlacedSighting => {
      const point = track.point?.[at];
      const fields: SightingFields = {
        track_id: track.id,
        label: track.label ?? null,
        score: track.score?.[at] ?? null,
        box: track.box?.[at] ?? null,
        points: point === undefined ? null : [point],
      };
      return [
        `${camera} ${frames.row[frame]}`,
        { ...emptySighting, ...fields, size_px: [width_px, height_px] },
      ];
    }),
  );
}

function groupByPicture(places: readonly PlacedSighting[]): LayerDetections['at'] {
  const all = Map.groupBy(places, ([picture]) => picture);
  return new Map([...all].map(([picture, own]) => [picture, own.map(([, sighting]) => sighting)]));
}

/** A layer's artifact of an episode. */
export interface StoredArtifact {
  /** The parsed JSON. */
  readonly value: unknown;
  /** SHA-256 of its bytes. */
  readonly sha256: string;
}

/** Artifacts of an episode by layer, and the dense text that a person wrote over the generated one. */
export interface StoredAnnotations {
  readonly artifacts: Readonly<Partial<Record<ExportedLayer, StoredArtifact>>>;
  readonly written: string | null;
}

interface EpisodeId {
  readonly id: string;
  readonly index: number;
}

/** Source of annotations for an export. */
export interface AnnotationSource {
  /** Returns the layers that have an artifact for the episode. */
  layers(episode: EpisodeId): readonly ExportedLayer[];
  /** Returns the artifacts of an episode, or null if there are none. */
  read(episode: EpisodeId): Promise<StoredAnnotations | null>;
}

/** Schema of a segments artifact. */
export const segmentsShape = z.object({
  segments: z.array(z.object({ from_s: z.number(), to_s: z.number(), kind: z.string() })),
});
/** Schema of a captions artifact. */
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

/**
 * Converts artifacts to the form that exports use. Throws `unreadable_input` for an artifact that does not match its
 * layer's format.
 */
function parseAnnotations({ artifacts, written }: StoredAnnotations): EpisodeAnnotations {
  const readArtifact: ReadArtifact = (layer, shape) => {
    const artifact = artifacts[layer];
    if (artifact === undefined) return null;
    const read = shape.safeParse(artifact.value);
    if (read.success) return read.data;
    throw new AssayError('unreadable_input', `the ${layer} annotation is not in the expected format`, {
      advice: 'annotate again',
    });
  };
  return {
    segments: readArtifact('segments', segmentsShape)?.segments ?? null,
    captions: (readArtifact('captions', captionsShape)?.windows ?? []).filter((one) => one.text !== ''),
    text: readText(written, readArtifact('dense_text', textShape)?.text ?? ''),
    masks: masksByPicture(readArtifact('segmentation', masksShape)?.frames ?? []),
    sightings: readSightings(readArtifact),
  };
}

/** Returns the text that a person wrote, else the generated one; null if it is empty. */
function readText(written: string | null, generated: string): EpisodeAnnotations['text'] {
  const text = written ?? generated;
  return text === '' ? null : { text, source: written === null ? 'machine' : 'person' };
}

const masksByPicture = (
  frames: z.infer<typeof masksShape>['frames'],
): ReadonlyMap<string, readonly PictureMask[]> =>
  new Map(frames.map(({ camera, row, labels }) => [`${camera} ${row}`, labels]));
