import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { encodeVideo } from './encode-video.ts';
import { movingPicture } from './moving-picture.ts';

/** Contents by path, `/`-separated; objects are written as JSON. */
export type CaseFiles = Readonly<Record<string, string | Uint8Array | object>>;

/** The smallest PNG: one pixel. */
export const tinyPng: Uint8Array = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

/** Writes the input of a conformance case anew. */
export async function writeCase(folder: string, files: CaseFiles): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [path, body] of Object.entries(files)) {
    const place = join(folder, path);
    await mkdir(dirname(place), { recursive: true });
    const plain = typeof body === 'string' || body instanceof Uint8Array;
    await writeFile(place, plain ? body : `${JSON.stringify(body, null, 1)}\n`);
  }
}

/** The same files below a folder; '' is the top. */
export function placed(folder: string, files: CaseFiles): CaseFiles {
  const start = folder === '' ? '' : `${folder}/`;
  return Object.fromEntries(Object.entries(files).map(([path, body]) => [start + path, body]));
}

/** A small video of so many frames; raw HEVC has no container and no stamps. */
export async function tinyVideo(
  path: string,
  frames: number,
  container: 'mp4' | 'hevc',
  rate_hz = 50,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const [width, height] = [64, 48];
  const isRaw = container === 'hevc';
  await encodeVideo(path, width, height, movingPicture(width, height, frames, 0), {
    encoder: isRaw ? 'libx265' : 'libx264',
    container,
    rate_hz,
    keyframe_every: 10,
    options: isRaw
      ? { preset: 'ultrafast', 'x265-params': 'log-level=none:repeat-headers=1' }
      : { preset: 'ultrafast', crf: '40' },
  });
}
