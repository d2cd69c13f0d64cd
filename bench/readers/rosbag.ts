import { existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, BenchOptions } from '../bench.ts';
import { runProgram, sideBySide } from '../support/side-by-side.ts';

const python = process.env.ASSAY_PEERS_PYTHON;
const peer = join(import.meta.dirname, 'rosbag_peer.py');
const fullRead = join(import.meta.dirname, 'full-read.ts');
const rounds = 3;

interface BagSettings {
  readonly name: string;
  readonly seconds: number;
  readonly compression: 'none' | 'lz4' | 'bz2';
  readonly picture_bytes: number;
  /** Times the speed of rosbags. */
  readonly floor: number;
}

/** Reading bags with everything decoded, against rosbags deserialising the same messages. */
export const rosbagReadBench: Bench = {
  id: 'read-rosbag',
  title: 'ROS 1 bag: read and decoded, beside rosbags (Python) reading and deserialising it',
  run: async (options) => {
    if (python === undefined) {
      options.print('  not measured (set ASSAY_PEERS_PYTHON to a Python that has rosbags)');
      return { passed: true, figures: {} };
    }
    const seconds = options.quick ? 200 : 600;
    const teleop = { seconds, picture_bytes: 24_000 };
    const bags: readonly BagSettings[] = [
      { name: 'teleop', ...teleop, compression: 'none', floor: 3 },
      { name: 'signals', seconds, compression: 'none', picture_bytes: 0, floor: 3 },
      { name: 'signals in lz4', seconds, compression: 'lz4', picture_bytes: 0, floor: 3 },
      // As long as the others, because V8 needs a warm-up in each thread, which weighs more in shorter bags.
      { name: 'signals in bz2', seconds, compression: 'bz2', picture_bytes: 0, floor: 3 },
    ];
    const figures: Record<string, BagFigures> = {};
    for (const bag of bags) figures[bag.name] = await measureBag(options, python, bag);
    return { passed: bags.every(({ name, floor }) => figures[name].ratio >= floor), figures };
  },
};

interface BagFigures {
  readonly megabytes: number;
  readonly ours_s: number;
  readonly rosbags_s: number;
  readonly ratio: number;
  readonly peak_rss_mb: number | null;
}

async function measureBag(options: BenchOptions, program: string, bag: BagSettings): Promise<BagFigures> {
  const { name, seconds, compression, picture_bytes, floor } = bag;
  const path = join(options.scratch, `rosbag-${compression}-${picture_bytes}-${seconds}.bag`);
  if (!existsSync(path)) {
    const args = [peer, 'write', `${path}.part`, String(seconds), compression, String(picture_bytes)];
    await runProgram({ command: program, args });
    renameSync(`${path}.part`, path);
  }
  const [ours, theirs] = await sideBySide(
    [
      { command: process.execPath, args: [fullRead, path, 'rosbag'] },
      { command: program, args: [peer, 'read', path] },
    ],
    rounds,
  );
  const ratio = theirs.read_s / ours.read_s;
  const megabytes = Math.round(statSync(path).size / 1e6);
  options.print(
    `  ${name}, ${megabytes} MB: ${ratio.toFixed(2)} times the speed of rosbags (at least ${floor}); ` +
      `${ours.read_s.toFixed(2)} s, rosbags ${theirs.read_s.toFixed(2)} s; ${ours.peak_rss_mb} MB resident`,
  );
  return {
    megabytes,
    ours_s: ours.read_s,
    rosbags_s: theirs.read_s,
    ratio,
    peak_rss_mb: ours.peak_rss_mb ?? null,
  };
}
