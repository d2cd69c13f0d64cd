import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Bench, BenchOptions } from './bench.ts';
import { cameraSet } from './lerobot/camera-set.ts';
import { numericSet } from './lerobot/numeric-set.ts';
import { measureProcess } from './support/measured-process.ts';

const root = join(import.meta.dirname, '..');
const python = process.env.ASSAY_PEERS_PYTHON;
const robovet = python === undefined ? null : join(dirname(python), 'robovet');

/** `assess --pictures none` beside `robovet doctor`, which does not decode either. */
export const quickLookBench: Bench = {
  id: 'quick-look',
  title: 'A quick look (--pictures none) beside robovet doctor, whole processes in turn',
  run: async (options) => {
    if (robovet === null || !existsSync(robovet)) {
      options.print('  left out: ASSAY_PEERS_PYTHON names no Python with robovet');
      return { passed: true, figures: {} };
    }
    const pictured = await cameraSet(options, options.quick ? 48 : 480);
    const numeric = await numericSet(options, options.quick ? 100 : 1000);
    const camera = await beside(options, 'with one camera', pictured, 1);
    const numbers = await beside(options, 'without a camera', numeric, 3);
    return {
      passed: options.quick || (camera.faster >= 1 && numbers.faster >= 3),
      figures: { camera, numbers },
    };
  },
};

async function beside(options: BenchOptions, what: string, set: string, least: number) {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < (options.quick ? 1 : 5); round++) {
    ours.push(
      await wall_s(process.execPath, [
        join(root, 'bin/assay'),
        'assess',
        set,
        '--pictures',
        'none',
        '--no-cache',
      ]),
    );
    theirs.push(await wall_s(robovet!, ['doctor', set]));
  }
  const [assay_s, robovet_s] = [median(ours), median(theirs)];
  const faster = robovet_s / assay_s;
  options.print(
    `  ${what}: assess ${assay_s.toFixed(2)} s, robovet ${robovet_s.toFixed(2)} s: ${faster.toFixed(2)} times as fast (at least ${least})`,
  );
  return { assay_s, robovet_s, faster };
}

async function wall_s(command: string, args: readonly string[]): Promise<number> {
  return (await measureProcess(command, args)).wall_s;
}

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1];
