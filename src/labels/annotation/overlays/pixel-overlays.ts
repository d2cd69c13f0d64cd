import { z } from 'zod';
import { limits, significant } from '#core';
import { sampleQuantiles } from '../vision/depth-map.ts';
import { type Canvas, px } from './canvas.ts';
import { directionColour, toCss, viridis } from './colours.ts';
import { lastAtOrBefore, type Overlay, parseArtifact } from './overlay.ts';

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

const numberList = z.array(z.number());
const sizeList = z.array(z.number().int().positive());

const opticalFlowSchema = z.object({
  cameras: z.array(
    z.object({
      camera: z.string(),
      pairs: z.object({
        from_s: numberList,
        to_s: numberList,
        width_px: sizeList,
        height_px: sizeList,
        part: z.array(z.string().nullable()),
        offset_bytes: z.array(z.number().int().nonnegative().nullable()),
      }),
    }),
  ),
  planes: z.object({ px_per_unit: z.number().positive() }),
});

interface Pair {
  readonly time_s: number;
  readonly to_s: number;
  readonly width_px: number;
  readonly height_px: number;
  readonly part: string;
  readonly offset_bytes: number;
}

/**
 * Draws the motion of each pixel until the next frame: direction as hue (see the colour wheel), distance as opacity.
 */
export const opticalFlow: Overlay = {
  layer: 'optical_flow',
  open: (artifact) => {
    const { cameras, planes } = parseArtifact('optical_flow', opticalFlowSchema, artifact);
    const pairsByCamera = new Map(cameras.map(({ camera, pairs }) => [camera, parsePairs(pairs)]));
    return {
      cameras: [...pairsByCamera].filter(([, pairs]) => pairs.length > 0).map(([camera]) => camera),
      at: (camera, time_s) => {
        const pair = lastAtOrBefore(pairsByCamera.get(camera) ?? [], time_s);
        if (pair === null) return null;
        return {
          time_s: pair.time_s,
          opaque_size: null,
          draw: async (canvas, parts) =>
            drawFlow(canvas, pair, await parts.bytes(pair.part), planes.px_per_unit),
        };
      },
    };
  },
};

function parsePairs(pairs: z.infer<typeof opticalFlowSchema>['cameras'][number]['pairs']): readonly Pair[] {
  const { from_s, to_s, width_px, height_px, part, offset_bytes } = pairs;
  return from_s.flatMap((time_s, at) => {
    const [own, offset] = [part[at], offset_bytes[at]];
    if (own == null || offset == null || width_px[at] === undefined || height_px[at] === undefined) return [];
    const size = { width_px: width_px[at], height_px: height_px[at] };
    return [{ ...size, time_s, to_s: to_s[at] ?? time_s, part: own, offset_bytes: offset }];
  });
}

/** Quantile of the distances at which the opacity reaches its maximum. */
const fullOpacityQuantile = 0.99;
/** Distance that is at least drawn at full opacity; smaller motion is indistinguishable from noise. */
const minFullOpacity_px = 1;
const maxAlpha = 235;

function drawFlow(canvas: Canvas, pair: Pair, bytes: Uint8Array, px_per_unit: number): void {
  const { width_px, height_px, offset_bytes, time_s, to_s } = pair;
  const pixels = width_px * height_px;
  if (pixels > limits.recordings.picture_pixels.value || bytes.length < offset_bytes + 4 * pixels) return;
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset_bytes, 4 * pixels);
  const lengths = new Float32Array(pixels);
  for (let i = 0; i < pixels; i++)
    lengths[i] = px_per_unit * Math.hypot(view.getInt16(2 * i, true), view.getInt16(2 * (pixels + i), true));
  const reach = Math.max(
    minFullOpacity_px,
    lengths.toSorted()[Math.floor(fullOpacityQuantile * (pixels - 1))],
  );
  const rgba = new Uint8Array(4 * pixels);
  for (let i = 0; i < pixels; i++) {
    // Rows count downwards, angles upwards.
    const angle = Math.atan2(-view.getInt16(2 * (pixels + i), true), view.getInt16(2 * i, true));
    rgba.set(directionColour(angle), 4 * i);
    rgba[4 * i + 3] = Math.round(maxAlpha * Math.min(1, lengths[i] / reach));
  }
  canvas.rasters.push({ width_px, height_px, rgba, sharp: false });
  drawWheel(canvas);
  const shown_px = (reach * canvas.width_px) / width_px;
  canvas.note(`full colour: ${shown_px.toFixed(1)} px in ${(to_s - time_s).toFixed(2)} s`);
}

/** Draws the colour wheel in the upper right corner. */
function drawWheel(canvas: Canvas): void {
  const radius = 18;
  const [x, y] = [canvas.width_px - radius - 6, radius + 6];
  const slices = 24;
  const rim = (at: number): string => {
    const angle = (2 * Math.PI * at) / slices;
    return `${px(x + radius * Math.cos(angle))} ${px(y - radius * Math.sin(angle))}`;
  };
  for (let at = 0; at < slices; at++) {
    const colour = directionColour((2 * Math.PI * (at + 0.5)) / slices).join(',');
    canvas.add(
      `<path d="M${x} ${y} L${rim(at)} A${radius} ${radius} 0 0 0 ${rim(at + 1)} Z" fill="rgb(${colour})"/>`,
    );
  }
}
