import { join, resolve } from 'node:path';
import { generateSamples, recordingsFolder } from '#apps/samples';
import { requireWritable } from '#engine/local';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { assessCommand } from '../assess/assess.ts';

export interface DemoArguments {
  readonly out: string;
  readonly json?: boolean;
}

/** Runs `assay demo`: generates the sample recordings unless they exist, and assesses them. */
export async function demoCommand(
  { out, json }: DemoArguments,
  io: Io,
  launcher: Pick<Launcher, 'webSettings'>,
): Promise<number> {
  const folder = resolve(out);
  requireWritable(folder);
  let lastPercent = -1;
  await generateSamples(join(folder, 'samples'), {
    onProgress: (share, what) => {
      if (lastPercent < 0)
        io.note('assay: creating sample recordings, some corrupted on purpose (first run only)\n');
      else if (share - lastPercent < 0.1) return;
      else io.note(`assay: ${Math.round(share * 100)} % of the samples created (${what})\n`);
      lastPercent = Math.max(0, share);
    },
    signal: io.signal,
  });
  const args = json === undefined ? {} : { json };
  return assessCommand(
    join(folder, 'samples', recordingsFolder),
    { ...args, out: join(folder, 'report') },
    io,
    launcher,
  );
}
