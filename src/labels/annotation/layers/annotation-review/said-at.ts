import { z } from 'zod';
import type { JsonObject } from '#core';
import type { LayerId } from '#core/api';
import { readObjects } from '../../grammar/known-objects.ts';
import { type KnownSpan, readSpans } from '../../grammar/known-spans.ts';

/** Layers that say something that frames show. */
export const seenLayers = ['segments', 'object_labels', 'dense_text'] as const satisfies readonly LayerId[];

const windows = z.object({
  windows: z.array(z.object({ from_s: z.number(), to_s: z.number(), text: z.string() })),
});
const statements = z.object({ statements: z.array(z.object({ text: z.string() })) });

/** A box was looked for at most so long before or after. */
const near_s = 0.5;

/** Spans in words that a picture can be held against. */
const happens: Readonly<Record<KnownSpan['kind'], string | null>> = {
  unobserved: null,
  gripper_close: 'a gripper closes',
  gripper_open: 'a gripper opens',
  gripper_change: 'a gripper opens or closes',
  still: 'nothing that is controlled moves',
  move: 'what is controlled moves',
};

/** What a layer says of a moment of an episode, in words; null: nothing. */
export function saidAt(layer: LayerId, artifact: JsonObject, time_s: number): string | null {
  const within = (one: { readonly from_s: number; readonly to_s: number }) =>
    time_s >= one.from_s && (time_s < one.to_s || one.from_s === one.to_s);
  if (layer === 'captions') return windows.parse(artifact).windows.find(within)?.text || null;
  if (layer === 'segments') {
    const kind = readSpans(artifact).segments.find(within)?.kind;
    return kind === undefined ? null : happens[kind];
  }
  if (layer !== 'object_labels') return null;
  const frames = readObjects(artifact)?.frames ?? [];
  const [nearest] = frames.toSorted((a, b) => Math.abs(a.time_s - time_s) - Math.abs(b.time_s - time_s));
  if (nearest === undefined || Math.abs(nearest.time_s - time_s) > near_s || nearest.boxes.length === 0)
    return null;
  return `in view: ${[...new Set(nearest.boxes.map(({ label }) => label))].join(', ')}`;
}

/** What it says of the episode as a whole. */
export const saidOfAll = (layer: LayerId, artifact: JsonObject): readonly string[] =>
  layer === 'dense_text' ? statements.parse(artifact).statements.map(({ text }) => text) : [];
