import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/lerobot-set';
import { openVideoWriter } from './writer.ts';

/** How the system schedules the threads of this process: `TS` as all others, `FF` and `RR` before them. */
const classes = () =>
  new Set(
    execFileSync('ps', ['-L', '-o', 'cls=', '-p', String(process.pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/),
  );

it.skipIf(process.platform !== 'linux')(
  'encoding AV1 takes no turns away from the rest of the machine',
  async () => {
    const before = classes();
    const path = join(await temporaryFolder(), 'clip.mp4');
    const writer = await openVideoWriter(path, { width_px: 64, height_px: 48, rate_hz: 30, codec: 'av1' });
    for (let frame = 0; frame < 8; frame++)
      await writer.write(new Uint8Array(64 * 48 * 1.5).fill(60 + frame));
    expect(classes()).toEqual(before);
    await writer.close();
    expect(writer.frames).toBe(8);
  },
);
