import { z } from 'zod';
import { type Canvas, px } from '../canvas.ts';
import { colourOf, cssOf } from '../colours.ts';
import { type Overlay, readArtifact } from '../overlay.ts';

const schema = z.object({
  from_s: z.number(),
  to_s: z.number(),
  segments: z.array(z.object({ from_s: z.number(), to_s: z.number(), kind: z.string() })),
});
type Spans = z.infer<typeof schema>;

/** All segments as a bar, where in it the picture is, and what the segment at that time is. */
export const segments: Overlay = {
  layer: 'segments',
  open: (artifact) => {
    const spans = readArtifact('segments', schema, artifact);
    const draw = (time_s: number) => (canvas: Canvas) => {
      drawBar(canvas, spans, time_s);
      const now = spans.segments.find(({ from_s, to_s }) => time_s >= from_s && time_s < to_s);
      const about = now === undefined ? 'no segment' : now.kind.replaceAll('_', ' ');
      canvas.strip(now === undefined ? about : `${about}, ${now.from_s.toFixed(2)}-${now.to_s.toFixed(2)} s`);
    };
    return {
      cameras: null,
      at: (_, time_s) => ({ time_s: null, covers: null, draw: draw(time_s) }),
    };
  },
};

const height = 14;

function drawBar(canvas: Canvas, { from_s, to_s, segments: all }: Spans, time_s: number): void {
  const top = canvas.band(height);
  const x = (at_s: number) => (canvas.width_px * (at_s - from_s)) / Math.max(1e-9, to_s - from_s);
  for (const { from_s: from, to_s: to, kind } of all) {
    const width = Math.max(1, x(to) - x(from) - 1);
    canvas.add(
      `<rect x="${px(x(from))}" y="${px(top + 3)}" width="${px(width)}" height="${height - 6}" fill="${cssOf(colourOf(kind))}"/>`,
    );
  }
  const now = px(x(time_s));
  canvas.add(`<path d="M${now} ${px(top)} V${px(top + height)}" stroke="#fff" stroke-width="2"/>`);
}
