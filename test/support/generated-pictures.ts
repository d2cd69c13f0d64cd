import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

/** Writes a folder of different pictures, each an episode of its own. */
export async function generatedPictures(folder: string, count: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (let i = 0; i < count; i++) {
    const background = { r: 40 + 60 * i, g: 120, b: 200 - 50 * i };
    const picture = sharp({ create: { width: 128, height: 96, channels: 3, background } });
    await picture.jpeg().toFile(join(folder, `picture_${i}.jpg`));
  }
}
