import { z } from 'zod';
import type { LayerId } from '#contract';
import type { Annotated, PictureMask } from '#exports';
import { AssayError } from '#kernel';

/** Layers whose say travels into exports. */
export const exportedLayers = [
  'segments',
  'captions',
  'dense_text',
  'segmentation',
] as const satisfies readonly LayerId[];
export type ExportedLayer = (typeof exportedLayers)[number];

/** Artifacts of an episode by layer, as JSON was parsed, and what a person wrote over its dense text. */
export interface FoundAnnotations {
  readonly artifacts: Readonly<Partial<Record<ExportedLayer, unknown>>>;
  readonly written: string | null;
}

/** Reads what layers say of an episode; null: nothing. */
export type AnnotationReader = (episode: {
  readonly id: string;
  readonly index: number;
}) => Promise<FoundAnnotations | null>;

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
          rle: z.object({ size: z.tuple([z.number(), z.number()]), counts: z.string() }),
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
    const read = shape.safeParse(artifact);
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
  };
}

const masksOf = (frames: z.infer<typeof masksShape>['frames']): ReadonlyMap<string, readonly PictureMask[]> =>
  new Map(frames.map(({ camera, row, labels }) => [`${camera} ${row}`, labels]));
