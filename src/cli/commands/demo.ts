import { join, resolve } from 'node:path';
import { generateSamples, recordingsFolder } from '#samples';
import type { Io } from '../io.ts';
import { assessCommand } from './assess.ts';

export interface DemoArguments {
  readonly out: string;
  readonly json?: boolean;
}

/** `assay demo`: makes the sample recordings unless they are there, and assesses them. */
export async function demoCommand({ out, json }: DemoArguments, io: Io): Promise<number> {
  const folder = resolve(out);
  io.note('assay: making sample recordings, clean and spoiled (once)\n');
  let shown = 0;
  await generateSamples(join(folder, 'samples'), {
    onProgress: (share, what) => {
      if (share - shown < 0.1) return;
      shown = share;
      io.note(`assay: ${Math.round(share * 100)} % made (${what})\n`);
    },
  });
  const args = json === undefined ? {} : { json };
  return assessCommand(
    join(folder, 'samples', recordingsFolder),
    { ...args, out: join(folder, 'report') },
    io,
  );
}
