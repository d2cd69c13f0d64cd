import { z } from 'zod';
import { limits } from '#core';
import { type Canvas, px } from '../canvas.ts';
import { directionColour } from '../colours.ts';
import { lastAtOrBefore, type Overlay, parseArtifact } from '../overlay.ts';

const numbers = z.array(z.number());
const sizes = z.array(z.number().int().positive());

const opticalFlowSchema = z.object({
  cameras: z.array(
    z.object({
      camera: z.string(),
      pairs: z.object({
        from_s: numbers,
        to_s: numbers,
        width_px: sizes,
        height_px: sizes,
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
