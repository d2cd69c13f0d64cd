import type { z } from 'zod';
import { AssayError } from '#core';
import type { LayerId } from '#core/api';
import type { Canvas, Size } from './canvas.ts';

/** Parts of an annotation beside its artifact, as they are asked for. */
export interface OverlayParts {
  /** Bytes as they were written. */
  readonly bytes: (name: string) => Promise<Uint8Array>;
  /** Samples of a PNG of 16 bits a pixel, rows from the top. */
  readonly samples: (name: string) => Promise<Uint16Array>;
}

/** What a layer says of one picture. */
export interface Saying {
  /** When the picture that it speaks of was taken; null: it speaks of any at this time. */
  readonly time_s: number | null;
  /** Its size, where it covers the whole picture, so that nothing of that is seen. */
  readonly covers: Size | null;
  readonly draw: (canvas: Canvas, parts: OverlayParts) => Promise<void> | void;
}

/** What a layer says of the pictures of an episode. */
export interface OpenOverlay {
  /** Cameras that it says something of; null: it is of no camera, and is written over any. */
  readonly cameras: readonly string[] | null;
  /** What it says last at a time, or first where all is later; null: nothing. */
  readonly at: (camera: string, time_s: number) => Saying | null;
}

/** How a layer is drawn over pictures. */
export interface Overlay {
  readonly layer: LayerId;
  /** Reads an artifact. Throws `unreadable_input` where it is not of the form that this version writes. */
  readonly open: (artifact: unknown) => OpenOverlay;
}

/** Reads an artifact by a schema. Throws `unreadable_input`. */
export function readArtifact<Schema extends z.ZodType>(
  layer: LayerId,
  schema: Schema,
  artifact: unknown,
): z.infer<Schema> {
  const read = schema.safeParse(artifact);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new AssayError('unreadable_input', `the annotation ${layer} is not of a form that can be drawn`, {
    advice: `at /${issue.path.join('/')}: ${issue.message}; have this version make it again`,
  });
}

/** A stamp is rounded to microseconds; this little later is the same time. */
const rounding_s = 2e-6;

/** The last at or before a time, or the first where all are later; null without any. They come in order of time. */
export function lastUntil<Timed extends { readonly time_s: number }>(
  all: readonly Timed[],
  time_s: number,
): Timed | null {
  return all.findLast((one) => one.time_s <= time_s + rounding_s) ?? all[0] ?? null;
}
