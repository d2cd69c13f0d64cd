import { z } from 'zod';
import { AssayError } from '#core';
import type { Annotated, PictureMask } from '#formats/write';
import type { ExportedLayer } from './exported-layers.ts';
import { type ReadArtifact, rleShape, sightingsOf } from './read-sightings.ts';

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
