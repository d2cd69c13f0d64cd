import { z } from 'zod';
import { significant } from '#core';
import { sampleQuantiles } from '../../layers/depth/depth-map.ts';
import { type Canvas, px } from '../canvas.ts';
import { toCss, viridis } from '../colours.ts';
import { lastAtOrBefore, type Overlay, parseArtifact } from '../overlay.ts';

const frameSchema = z.object({
  time_s: z.number(),
  width_px: z.number().int().positive(),
  height_px: z.number().int().positive(),
  scale: z.number(),
  offset: z.number(),
  part: z.string().nullable(),
});
type Frame = z.infer<typeof frameSchema>;

const depthSchema = z.object({
  cameras: z.array(
    z.object({
      camera: z.string(),
      unit: z.string().nullable(),
      kind: z.string(),
      frames: z.array(frameSchema),
    }),
  ),
});

/** Draws depth in colours from near (dark) to far (light) with a scale; pixels without depth are black. */
export const depth: Overlay = {
  layer: 'depth',
  open: (artifact) => {
    const { cameras } = parseArtifact('depth', depthSchema, artifact);
    const measured = cameras.map((camera) => ({
      ...camera,
      frames: camera.frames.filter(({ part }) => part !== null),
    }));
    return {
      cameras: measured.filter(({ frames }) => frames.length > 0).map(({ camera }) => camera),
      at: (id, time_s) => {
        const camera = measured.find((one) => one.camera === id);
        const own = lastAtOrBefore(camera?.frames ?? [], time_s);
        if (camera === undefined || own?.part == null) return null;
        const { part } = own;
        return {
          time_s: own.time_s,
          opaque_size: [own.width_px, own.height_px],
          draw: async (canvas, parts) => drawDepth(canvas, own, await parts.samples(part), camera),
        };
      },
    };
  },
};

interface DepthMeaning {
  readonly unit: string | null;
  /** With `relative_inverse`, the largest value is the nearest. */
  readonly kind: string;
}

/**
 * Fraction of depths clipped at each end of the colour scale, so that a single far pixel does not darken everything
 * else.
 */
const clippedFraction = 0.02;

function drawDepth(canvas: Canvas, own: Frame, samples: Uint16Array, { unit, kind }: DepthMeaning): void {
  const { width_px, height_px, scale, offset } = own;
  const [low, high] = sampleQuantiles(samples, [clippedFraction, 1 - clippedFraction]) ?? [0, 0];
  const isInverse = kind === 'relative_inverse';
  const table = Array.from({ length: 256 }, (_, at) => viridis((isInverse ? 255 - at : at) / 255));
  const rgba = new Uint8Array(4 * width_px * height_px);
  for (let i = 0; i < width_px * height_px; i++) {
    const sample = samples[i] ?? 0;
    const share = high > low ? (sample - low) / (high - low) : 0.5;
    const colour = sample === 0 ? [0, 0, 0] : table[Math.min(255, Math.max(0, Math.round(255 * share)))];
    rgba.set(colour, 4 * i);
    rgba[4 * i + 3] = 255;
  }
  canvas.rasters.push({ width_px, height_px, rgba, sharp: false });
  const value = (sample: number) => significant(offset + scale * sample, 3);
  const [near, far] = isInverse ? [high, low] : [low, high];
  const word = (sample: number) => (unit === null ? '' : ` ${value(sample)} ${unit}`);
  drawScale(
    canvas,
    `near${word(near)}`,
    `far${word(far)}`,
    unit === null ? `${kind.replace('_', ' ')}, no unit` : '',
  );
}

/** Draws a colour scale with its end labels, and a note. */
function drawScale(canvas: Canvas, near: string, far: string, about: string): void {
  const top = canvas.band(22);
  const [from, until] = [canvas.width_px * 0.3, canvas.width_px * 0.7];
  const steps = 64;
  const width = (until - from) / steps;
  for (let at = 0; at < steps; at++) {
    const colour = toCss(viridis(at / (steps - 1)));
    canvas.add(
      `<rect x="${px(from + at * width)}" y="${px(top + 5)}" width="${px(width) + 0.3}" height="12" fill="${colour}"/>`,
    );
  }
  canvas.text(near, [from - 8, top + 6], 'left');
  canvas.text(far, [until + 8, top + 6], 'right');
  if (about !== '') canvas.note(about);
}
