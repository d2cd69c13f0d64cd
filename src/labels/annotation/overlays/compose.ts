import type { OverlayOptions, Sharp } from 'sharp';
import type { LayerId } from '#core/api';
import { layerTitle } from '#core/titles';
import { Canvas, type Raster, type Size } from './canvas.ts';
import type { Drawing, OverlayParts } from './overlay.ts';

/** Base picture: an encoded picture created by this program, or RGB pixels. */
export type BasePicture =
  | Uint8Array
  | { readonly rgb: Uint8Array; readonly width_px: number; readonly height_px: number };

/** Background without a picture. */
const background = { r: 16, g: 18, b: 22 };

/** Scales the picture to the canvas and composites the canvas over it. */
async function composeImage(base: BasePicture | null, canvas: Canvas): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  const { width_px: width, height_px: height } = canvas;
  const layers: OverlayOptions[] = [];
  for (const raster of canvas.rasters) layers.push({ input: await scaleRaster(raster, width, height) });
  layers.push({ input: Buffer.from(canvas.svg()) });
  const picture =
    base === null
      ? sharp({ create: { width, height, channels: 3, background: background } })
      : base instanceof Uint8Array
        ? sharp(base)
        : sharp(base.rgb, { raw: { width: base.width_px, height: base.height_px, channels: 3 } });
  return picture.resize(width, height, { fit: 'fill' }).toColourspace('srgb').composite(layers).removeAlpha();
}

/** Returns width and height of a base picture in px; of encoded pictures, from their header. */
export async function pictureSize(base: BasePicture): Promise<Size> {
  if (!(base instanceof Uint8Array)) return [base.width_px, base.height_px];
  const { default: sharp } = await import('sharp');
  const { width, height } = await sharp(base).metadata();
  return [width, height];
}

/** Draws the canvas over the picture (over a plain background if it is `null`) and returns a PNG of the canvas's size. The same input gives the same bytes. */
export async function composePng(base: BasePicture | null, canvas: Canvas): Promise<Uint8Array> {
  return (await composeImage(base, canvas)).png().toBuffer();
}

/**
 * Draws the canvas over the picture (over a plain background if it is `null`) and returns the RGB pixels of the
 * canvas's size, row by row from the top.
 */
export async function composeRgb(base: BasePicture | null, canvas: Canvas): Promise<Uint8Array> {
  return (await composeImage(base, canvas)).raw().toBuffer();
}

/** Maximum width of raster images in an SVG overlay, in px. */
const maxSvgRaster_px = 320;

/**
 * Returns the canvas as an SVG document with embedded raster images, scaled down to `maxSvgRaster_px`, to lay over
 * the picture. The same canvas gives the same text.
 */
export async function overlaySvg(canvas: Canvas): Promise<string> {
  const { default: sharp } = await import('sharp');
  const images: string[] = [];
  for (const { rgba, width_px: width, height_px: height, sharp: isSharp } of canvas.rasters) {
    const small = sharp(rgba, { raw: { width, height, channels: 4 } }).resize({
      width: maxSvgRaster_px,
      withoutEnlargement: true,
      kernel: isSharp ? 'nearest' : 'linear',
    });
    const png = (await small.png().toBuffer()).toString('base64');
    images.push(
      `<image width="${canvas.width_px}" height="${canvas.height_px}" preserveAspectRatio="none" href="data:image/png;base64,${png}"/>`,
    );
  }
  return canvas.svg(images.join(''));
}

async function scaleRaster(raster: Raster, width: number, height: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const raw = { width: raster.width_px, height: raster.height_px, channels: 4 } as const;
  const kernel = raster.sharp ? 'nearest' : 'linear';
  return sharp(raster.rgba, { raw })
    .resize(width, height, { fit: 'fill', kernel })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** A layer's drawing for a picture, with its parts. */
export interface LayerDrawing {
  readonly layer: LayerId;
  readonly drawing: Drawing;
  readonly parts: OverlayParts;
}

/** Tolerance for comparing picture times, which may be rounded to microseconds. */
const timeTolerance_s = 1e-3;

/**
 * Returns a canvas with `notes` and the layers drawn in the given order; content of another time than
 * `picture_time_s` gets a note of its time. `notes` are listed in the upper left corner, below `lines` reserved
 * lines.
 */
export async function drawOverlays(
  layers: readonly LayerDrawing[],
  size: Size,
  picture_time_s: number,
  { notes = [], lines = 0 }: { readonly notes?: readonly string[]; readonly lines?: number } = {},
): Promise<Canvas> {
  const canvas = new Canvas(size, lines);
  for (const note of notes) canvas.note(note);
  for (const { layer, drawing, parts } of layers) {
    await drawing.draw(canvas, parts);
    const { time_s } = drawing;
    if (time_s !== null && Math.abs(time_s - picture_time_s) > timeTolerance_s)
      canvas.note(`${layerTitle(layer)} at ${time_s.toFixed(2)} s`);
  }
  return canvas;
}
