import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createMediaService } from './media-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-test-words-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A bitmap; one of an impossible width is refused in words that name it. */
function bitmap(width_px: number, claimedBytes: number): Buffer {
  const bytes = Buffer.alloc(54 + 1024 + 256);
  bytes.write('BM');
  bytes.writeUInt32LE(claimedBytes, 2);
  bytes.writeUInt32LE(54 + 1024, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width_px, 18);
  bytes.writeInt32LE(16, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(8, 28);
  return bytes;
}

test('a file is quoted with its own words, whatever was said of the file before it', async () => {
  const media = createMediaService({ children: 1 });
  // Every other one decodes all the same, after the decoder has complained that it is too short.
  const widths = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 16 : -1000 - at));
  for (const [at, width] of widths.entries()) {
    writeFileSync(join(folder, `${at}.bmp`), bitmap(width, at % 2 === 0 ? 2e9 : 1334));
  }
  const answers = await Promise.all(
    widths.map((_, at) =>
      media.examine({
        root: folder,
        frames: {
          locator: { type: 'image-files', paths: [`${at}.bmp`] },
          declared_size_px: null,
          declared_codec: null,
        },
        declared_rate_hz: null,
        expected_frames: 1,
        thumbnails: 0,
      }),
    ),
  );
  await media.close();
  for (const [at, width] of widths.entries()) {
    if (at % 2 === 0) expect(answers[at]).toMatchObject({ decodable: 'yes', reason: null });
    else expect(answers[at].reason).toContain(`Picture size ${width + 2 ** 32}x16 is invalid`);
  }
});
