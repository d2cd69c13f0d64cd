import { join } from 'node:path';
import type { Bench, BenchOptions } from '../bench.ts';
import { cameraSet } from '../exports/two-camera-set.ts';
import { childrenCpu_s } from '../support/children-cpu.ts';
import { measureProcess } from '../support/measured-process.ts';
import { camera, inRunLayers } from './in-run-layers.ts';

const program = join(import.meta.dirname, 'bare-lanes.ts');
const most = 1.3;
const modes = ['nothing', 'decode', 'model', 'lanes'] as const;
type Mode = (typeof modes)[number];

/** Processor time of the in-run lanes on one episode beside that of decoding its frames and running its model alone. */
export const lanesBench: Bench = {
  id: 'lanes',
  title: `${inRunLayers.join(', ')} on an episode of 640x480, beside decoding and the model alone (at most ${most} times)`,
  run: async (options) => {
    const set = await cameraSet(options.scratch, 1, camera, options.quick ? 300 : 900);
    const rounds = options.quick ? 1 : 3;
    const costs: Record<Mode, number[]> = { nothing: [], decode: [], model: [], lanes: [] };
    for (let round = 0; round < rounds; round++)
      for (const mode of modes) costs[mode].push(await cpuOf(mode, set));
    const of = (mode: Mode) => costs[mode].toSorted((a, b) => a - b)[rounds >> 1] - floor;
    const floor = Math.min(...costs.nothing);
    const [decode_s, alone_s, lanes_s] = [of('decode'), of('model'), of('lanes')];
    const ratio = lanes_s / alone_s;
    told(options, { decode_s, model_s: alone_s - decode_s, lanes_s });
    options.print(`  that is ${ratio.toFixed(2)} times both (at most ${most})`);
    return { passed: ratio <= most, figures: { decode_s, model_s: alone_s - decode_s, lanes_s, ratio } };
  },
};

function told(options: BenchOptions, figures: Readonly<Record<string, number>>): void {
  for (const [name, seconds] of Object.entries(figures))
    options.print(`  ${name.replace('_s', '')}: ${seconds.toFixed(2)} s of processor time`);
}

async function cpuOf(mode: Mode, set: string): Promise<number> {
  const before = childrenCpu_s();
  const { exit_code, wall_s } = await measureProcess(process.execPath, [program, mode, set]);
  if (exit_code !== 0) throw new Error(`${mode} ended with ${exit_code}`);
  const after = childrenCpu_s();
  return before === null || after === null ? wall_s : after - before;
}
