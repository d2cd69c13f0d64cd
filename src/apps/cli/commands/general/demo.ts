import { join, resolve } from 'node:path';
import { recordingsFolder } from '#apps/samples';
import { requireWritable } from '#engine/local';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { assessCommand } from '../recordings/assess.ts';
import { createSamples } from '../service/start.ts';

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
  await createSamples(join(folder, 'samples'), io);
  const args = json === undefined ? {} : { json };
  return assessCommand(
    join(folder, 'samples', recordingsFolder),
    { ...args, out: join(folder, 'report') },
    io,
    launcher,
  );
}
