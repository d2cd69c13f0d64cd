import type { OverlayOptions, Sharp } from 'sharp';
import type { Canvas, Raster, Size } from './canvas.ts';

/** What is drawn over: an encoded picture of this program's own, or pixels of three bytes. */
export type BasePicture =
  | Uint8Array
  | { readonly rgb: Uint8Array; readonly width_px: number; readonly height_px: number };

/** Below what was drawn where there is no picture. */
const ground = { r: 16, g: 18, b: 22 };

/** The picture in the size of the canvas, with what is drawn on that. */
async function composed(base: BasePicture | null, canvas: Canvas): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  const { width_px: width, height_px: height } = canvas;
  const layers: OverlayOptions[] = [];
  for (const raster of canvas.rasters) layers.push({ input: await stretched(raster, width, height) });
  layers.push({ input: Buffer.from(canvas.svg()) });
  const picture =
    base === null
      ? sharp({ create: { width, height, channels: 3, background: ground } })
      : base instanceof Uint8Array
        ? sharp(base)
        : sharp(base.rgb, { raw: { width: base.width_px, height: base.height_px, channels: 3 } });
  return picture.resize(width, height, { fit: 'fill' }).toColourspace('srgb').composite(layers).removeAlpha();
}

/** Width and height of an encoded picture, or of pixels. */
export async function sizeOf(base: BasePicture): Promise<Size> {
  if (!(base instanceof Uint8Array)) return [base.width_px, base.height_px];
  const { default: sharp } = await import('sharp');
  const { width, height } = await sharp(base).metadata();
  return [width, height];
}

/** As PNG. The same picture and marks give the same bytes. */
export async function composePng(base: BasePicture | null, canvas: Canvas): Promise<Uint8Array> {
  return (await composed(base, canvas)).png().toBuffer();
}

/** As pixels of three bytes each, rows from the top. */
export async function composeRgb(base: BasePicture | null, canvas: Canvas): Promise<Uint8Array> {
  return (await composed(base, canvas)).raw().toBuffer();
}

/** Pixels of a picture that is looked at in small. */
const mostAcross = 320;

/** An SVG document of what is drawn, its pixels within it, to be laid over the picture. The same marks give the same text. */
export async function overlaySvg(canvas: Canvas): Promise<string> {
  const { default: sharp } = await import('sharp');
  const images: string[] = [];
  for (const { rgba, width_px: width, height_px: height, sharp: isSharp } of canvas.rasters) {
    const small = sharp(rgba, { raw: { width, height, channels: 4 } }).resize({
      width: mostAcross,
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

async function stretched(raster: Raster, width: number, height: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const raw = { width: raster.width_px, height: raster.height_px, channels: 4 } as const;
  const kernel = raster.sharp ? 'nearest' : 'linear';
  return sharp(raster.rgba, { raw })
    .resize(width, height, { fit: 'fill', kernel })
    .png({ compressionLevel: 1 })
    .toBuffer();
}
