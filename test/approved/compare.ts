import pixelmatch from 'pixelmatch';
import sharp from 'sharp';

/** Share of the pixels that may differ, as edges of letters do on other machines. A missing word exceeds it. */
export const tolerated_share = 0.002;
/** Largest colour difference that counts as equal, 0 to 1, because small palettes round colours. */
const colour_threshold = 0.2;

interface Comparison {
  /** Share of pixels that differ; 1 where the sizes do. */
  readonly share: number;
  /** Image of the differences as PNG; `null` if the sizes differ. */
  readonly shown: Buffer | null;
}

export async function compareScreens(approved: Buffer, taken: Buffer): Promise<Comparison> {
  const [one, two] = await Promise.all([rawOf(approved), rawOf(taken)]);
  const { width, height } = one.info;
  if (two.info.width !== width || two.info.height !== height) return { share: 1, shown: null };
  const shown = Buffer.alloc(width * height * 4);
  const different = pixelmatch(one.data, two.data, shown, width, height, { threshold: colour_threshold });
  const png = await sharp(shown, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  return { share: different / (width * height), shown: png };
}

const rawOf = (png: Buffer) => sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
