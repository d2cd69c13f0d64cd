import { z } from 'zod';
import type { JsonValue } from '#core';
import { type Canvas, px } from './canvas.ts';
import { colourByName, toCss } from './colours.ts';
import { type Overlay, parseArtifact } from './overlay.ts';

const captionsSchema = z.object({
  windows: z.array(z.object({ from_s: z.number(), to_s: z.number(), text: z.string() })),
});

/** Draws the caption of the current window. */
export const captions: Overlay = {
  layer: 'captions',
  open: (artifact) => {
    const { windows: all } = parseArtifact('captions', captionsSchema, artifact);
    return {
      cameras: null,
      at: (_, time_s) => {
        const own = all.findLast(({ from_s, to_s }) => time_s >= from_s && time_s <= to_s);
        const text = own === undefined || own.text === '' ? 'no caption' : own.text;
        return { time_s: null, opaque_size: null, draw: (canvas) => canvas.strip(text) };
      },
    };
  },
};

/** Draws the dense text, truncated to the available room. */
export const denseText: Overlay = {
  layer: 'dense_text',
  open: (artifact) => {
    const { text } = parseArtifact('dense_text', z.object({ text: z.string() }), artifact);
    const shownText = text === '' ? 'no text' : text;
    return {
      cameras: null,
      at: () => ({ time_s: null, opaque_size: null, draw: (canvas) => canvas.strip(shownText) }),
    };
  },
};

const metadataSchema = z.object({
  facts: z.record(z.string(), z.object({ status: z.string(), value: z.json() })),
});
const maxFacts = 12;
const maxValue_chars = 60;

/** Lists the known facts, one per line. */
export const metadata: Overlay = {
  layer: 'metadata',
  open: (artifact) => {
    const all = Object.entries(parseArtifact('metadata', metadataSchema, artifact).facts);
    const knownFacts = all.filter(([, { status }]) => status === 'told');
    const lines = knownFacts.map(([name, { value }]) => {
      const text = formatValue(value);
      const truncated = text.length > maxValue_chars ? `${text.slice(0, maxValue_chars)}...` : text;
      return `${name.replaceAll('_', ' ')}: ${truncated}`;
    });
    return {
      cameras: null,
      at: () => ({
        time_s: null,
        opaque_size: null,
        draw: (canvas) => {
          for (const line of lines.slice(0, maxFacts)) canvas.note(line);
          if (lines.length > maxFacts) canvas.note(`and ${lines.length - maxFacts} more`);
          if (lines.length === 0) canvas.note('no known facts');
        },
      }),
    };
  },
};

/**
 * Formats a value: `mean 0.48, darkest 0.42` for an object, `a; b` for a list; `null` and nested members are left
 * out.
 */
function formatValue(value: JsonValue): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(formatValue).join('; ');
  if (typeof value !== 'object' || value === null) return String(value ?? 'unknown');
  return Object.entries(value)
    .filter(([, member]) => member !== null && typeof member !== 'object')
    .map(([name, member]) => `${name.replaceAll('_', ' ')} ${String(member)}`)
    .join(', ');
}

const segmentsSchema = z.object({
  from_s: z.number(),
  to_s: z.number(),
  segments: z.array(z.object({ from_s: z.number(), to_s: z.number(), kind: z.string() })),
});
type Spans = z.infer<typeof segmentsSchema>;

/** Draws a bar of all segments with the current position, and the kind and times of the current segment. */
export const segments: Overlay = {
  layer: 'segments',
  open: (artifact) => {
    const spans = parseArtifact('segments', segmentsSchema, artifact);
    const draw = (time_s: number) => (canvas: Canvas) => {
      drawBar(canvas, spans, time_s);
      const now = spans.segments.find(({ from_s, to_s }) => time_s >= from_s && time_s < to_s);
      const about = now === undefined ? 'no segment' : now.kind.replaceAll('_', ' ');
      canvas.strip(now === undefined ? about : `${about}, ${now.from_s.toFixed(2)}-${now.to_s.toFixed(2)} s`);
    };
    return {
      cameras: null,
      at: (_, time_s) => ({ time_s: null, opaque_size: null, draw: draw(time_s) }),
    };
  },
};

const barHeight_px = 14;

function drawBar(canvas: Canvas, { from_s, to_s, segments: all }: Spans, time_s: number): void {
  const top = canvas.band(barHeight_px);
  const x = (at_s: number) => (canvas.width_px * (at_s - from_s)) / Math.max(1e-9, to_s - from_s);
  for (const { from_s: from, to_s: to, kind } of all) {
    const width = Math.max(1, x(to) - x(from) - 1);
    canvas.add(
      `<rect x="${px(x(from))}" y="${px(top + 3)}" width="${px(width)}" height="${barHeight_px - 6}" fill="${toCss(colourByName(kind))}"/>`,
    );
  }
  const now = px(x(time_s));
  canvas.add(`<path d="M${now} ${px(top)} V${px(top + barHeight_px)}" stroke="#fff" stroke-width="2"/>`);
}
