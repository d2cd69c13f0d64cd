import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '#core';
import { createMediaService } from '#io/media';
import type { Bench, BenchOptions } from './bench.ts';

/** Pictures a second that cleanvision 0.3.7 did on one core of such a machine; used where it cannot run beside. */
const measuredBefore_hz = 46;
const peersPython = process.env.ASSAY_PEERS_PYTHON;
const [width, height] = [640, 480];

export interface PictureFigures {
  readonly pictures: number;
  readonly bytes_per_picture: number;
  /** Pictures per second of one child process. */
  readonly one_child_hz: number;
  /** Pictures per second of two child processes. */
  readonly two_children_hz: number;
  /** One child by what cleanvision did on one core. */
  readonly ratio: number;
}

/** Measuring lone pictures, as `assess` does for a set of them. */
export const pictureBench: Bench = {
  id: 'pictures',
  title: 'Pictures: decode, verify and measure 640x480 JPEGs',
  run: async (options) => {
    const figures = await measurePictures(options, options.quick ? 300 : 1000);
    return { passed: figures.ratio >= 3, figures: { ...figures } };
  },
};

export async function measurePictures(options: BenchOptions, pictures: number): Promise<PictureFigures> {
  const root = join(options.scratch, `pictures-${pictures}`);
  const bytes = await generatePictures(root, pictures);
  const one_child_hz = await ratePictures(root, pictures, 1);
  const two_children_hz = await ratePictures(root, pictures, 2);
  const cleanvision_hz = cleanvisionRate(root) ?? measuredBefore_hz;
  const ratio = one_child_hz / cleanvision_hz;
  options.print(
    `  ${one_child_hz.toFixed(0)} pictures/s with one child, ${two_children_hz.toFixed(0)} with two; ` +
      `${ratio.toFixed(1)} times cleanvision (${cleanvision_hz.toFixed(0)}/s in one process, ${peersPython ? 'beside' : 'as measured before'}; at least 3)`,
  );
  return { pictures, bytes_per_picture: bytes / pictures, one_child_hz, two_children_hz, ratio };
}

/** cleanvision over the same folder in one process; null where there is no Python that has it. */
function cleanvisionRate(root: string): number | null {
  if (!peersPython) return null;
  const script = join(import.meta.dirname, 'cleanvision_rate.py');
  const said = execFileSync(peersPython, [script, root], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { pictures, seconds } = JSON.parse(said.trim().split('\n').at(-1) ?? '');
  return pictures / seconds;
}

/** Writes textured pictures with noise once; some 50 kB each, as cameras make them. Gives their bytes together. */
async function generatePictures(root: string, pictures: number): Promise<number> {
  const { default: sharp } = await import('sharp');
  mkdirSync(root, { recursive: true });
  const known = new Set(readdirSync(root));
  const random = seededRandom(3);
  let total = 0;
  for (let k = 0; k < pictures; k++) {
    const name = `${String(k).padStart(6, '0')}.jpg`;
    const pixels = Buffer.alloc(width * height * 3);
    const phase = random.between(0, 6);
    if (known.has(name)) continue;
    for (let i = 0; i < width * height; i++) {
      const scene = 120 + 60 * Math.sin((i % width) / 40 + phase) * Math.cos(i / width / 30);
      const value = scene + 10 * (((i * 2654435761) >>> 24) / 255 - 0.5);
      pixels[3 * i] = value;
      pixels[3 * i + 1] = 0.8 * value + 20;
      pixels[3 * i + 2] = 200 - 0.6 * value;
    }
    const jpeg = await sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 90 })
      .toBuffer();
    writeFileSync(join(root, name), jpeg);
    total += jpeg.length;
  }
  return total;
}

async function ratePictures(root: string, pictures: number, children: number): Promise<number> {
  const service = createMediaService({ children });
  const examine = (k: number) =>
    service.examine({
      root,
      frames: {
        locator: { type: 'image-files', paths: [`${String(k).padStart(6, '0')}.jpg`] },
        declared_size_px: null,
        declared_codec: null,
      },
      declared_rate_hz: null,
      expected_frames: null,
      thumbnails: 0,
    });
  await Promise.all(Array.from({ length: 4 * children }, (_, k) => examine(k)));
  const start = performance.now();
  const all = await Promise.all(Array.from({ length: pictures }, (_, k) => examine(k)));
  const seconds = (performance.now() - start) / 1000;
  await service.close();
  const bad = all.filter((one) => one.decodable !== 'yes').length;
  if (bad > 0) throw new Error(`${bad} of ${pictures} pictures did not decode`);
  return pictures / seconds;
}
