import { z } from 'zod';
import type { ExportFormatId, LayerId } from '#contract';
import { type Annotated, exportFormats, type PictureMask, type PictureObject } from '#exports';
import { AssayError } from '#kernel';

/** Layers whose say travels into exports. */
export const exportedLayers = [
  'segments',
  'captions',
  'dense_text',
  'segmentation',
  'object_labels',
] as const satisfies readonly LayerId[];
export type ExportedLayer = (typeof exportedLayers)[number];

/** Those that a format has a place for. */
export function layersOf(format: ExportFormatId): readonly ExportedLayer[] {
  const held: readonly string[] = exportFormats.get(format)?.annotations ?? [];
  return exportedLayers.filter((layer) => held.includes(layer));
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
  /** Any of them says something of the episode. */
  has(episode: Named): boolean;
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
const rleShape = z.object({ size: z.tuple([z.number(), z.number()]), counts: z.string() });
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

const labelsShape = z.object({
  frames: z.array(
    z.object({
      camera: z.string(),
      row: z.number(),
      width_px: z.number(),
      height_px: z.number(),
      boxes: z.array(
        z.object({
          label: z.string(),
          score: z.number(),
          box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
          mask: rleShape.nullish(),
        }),
      ),
    }),
  ),
});

/** What an export takes of it. Throws `unreadable_input` where an artifact is not what its layer writes. */
export function annotatedOf({ artifacts, written }: FoundAnnotations): Annotated {
  const said = <T>(layer: ExportedLayer, shape: z.ZodType<T>): T | null => {
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
    objects: objectsOf(said('object_labels', labelsShape)?.frames ?? []),
  };
}

const masksOf = (frames: z.infer<typeof masksShape>['frames']): ReadonlyMap<string, readonly PictureMask[]> =>
  new Map(frames.map(({ camera, row, labels }) => [`${camera} ${row}`, labels]));

const objectsOf = (
  frames: z.infer<typeof labelsShape>['frames'],
): ReadonlyMap<string, readonly PictureObject[]> =>
  new Map(
    frames.map(({ camera, row, width_px, height_px, boxes }) => [
      `${camera} ${row}`,
      boxes.map(({ mask = null, ...box }) => ({ ...box, mask, size_px: [width_px, height_px] })),
    ]),
  );
