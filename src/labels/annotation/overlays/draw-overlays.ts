import type { LayerId } from '#core/api';
import { Canvas, type Size } from './canvas.ts';
import type { OverlayParts, Saying } from './overlay.ts';

/** What one of several layers says of a picture, and where its parts are. */
export interface LayerSaying {
  readonly layer: LayerId;
  readonly saying: Saying;
  readonly parts: OverlayParts;
}

/** A picture's time may be given to microseconds. */
const sameTime_s = 1e-3;

/**
 * Draws layers over a picture that was taken at `shown_s`, one over the other, and notes in the upper left corner, below `lines` that stand there. What a layer says of an earlier picture is
 * still drawn, and told to be of that one.
 */
export async function drawOverlays(
  layers: readonly LayerSaying[],
  size: Size,
  shown_s: number,
  { notes = [], lines = 0 }: { readonly notes?: readonly string[]; readonly lines?: number } = {},
): Promise<Canvas> {
  const canvas = new Canvas(size, lines);
  for (const note of notes) canvas.note(note);
  for (const { layer, saying, parts } of layers) {
    await saying.draw(canvas, parts);
    const { time_s } = saying;
    if (time_s !== null && Math.abs(time_s - shown_s) > sameTime_s)
      canvas.note(`${layer.replaceAll('_', ' ')} of ${time_s.toFixed(2)} s`);
  }
  return canvas;
}
