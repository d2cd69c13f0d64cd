import { existsSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Bench, BenchOptions } from '../bench.ts';
import { measureProcess } from '../support/measured-process.ts';

const folder = import.meta.dirname;
const python = process.env.ASSAY_PEERS_PYTHON ?? join(homedir(), '.cache/assay-venvs/peers/bin/python');
const peer = join(folder, 'rosbag2_peer.py');

/** Reading a SQLite bag with everything decoded, against rosbags deserialising the same messages. */
export const rosbag2Bench: Bench = {
  id: 'read-rosbag2',
  title: 'ROS 2 bag in SQLite: read and decoded, beside rosbags (Python) reading and deserialising it',
  run: async (options) => {
    const scale = options.quick ? 1 : 3;
    const signals = await measure(options, { name: 'signals', messages: 200_000 * scale, picture_bytes: 0 });
    const teleop = await measure(options, {
      name: 'teleop',
      messages: 66_000 * scale,
      picture_bytes: 24_000,
    });
    return { passed: signals.ratio >= 3 && teleop.ratio >= 3, figures: { signals, teleop } };
  },
};

interface BagSettings {
  readonly name: string;
  readonly messages: number;
  readonly picture_bytes: number;
}

interface ReadTime {
  readonly read_s: number;
  readonly peak_rss_mb?: number;
}

/** Turn by turn, three rounds, the median of each side. */
async function measure(options: BenchOptions, { name, messages, picture_bytes }: BagSettings) {
  const bag = join(options.scratch, `rosbag2-${name}-${messages}`);
  if (!existsSync(bag)) {
    await run(python, [peer, 'write', `${bag}.part`, String(messages), String(picture_bytes)]);
    renameSync(`${bag}.part`, bag);
  }
  const rounds: ReadTime[][] = [];
  for (let round = 0; round < 3; round++) {
    rounds.push([
      await timed(process.execPath, [join(folder, 'full-read.ts'), bag, 'rosbag2']),
      await timed(python, [peer, 'read', bag]),
    ]);
  }
  const [ours, theirs] = [0, 1].map((side) => median(rounds.map((round) => round[side])));
  const ratio = theirs.read_s / ours.read_s;
  options.print(
    `  ${name}, ${messages} messages: ${ratio.toFixed(2)} times the speed of rosbags; ` +
      `${ours.read_s.toFixed(2)} s and ${theirs.read_s.toFixed(2)} s; ${ours.peak_rss_mb} MB resident`,
  );
  return { messages, ratio, ours_s: ours.read_s, rosbags_s: theirs.read_s, peak_rss_mb: ours.peak_rss_mb };
}

async function timed(command: string, args: readonly string[]): Promise<ReadTime> {
  return JSON.parse(await run(command, args)) as ReadTime;
}

async function run(command: string, args: readonly string[]): Promise<string> {
  const { exit_code, stdout } = await measureProcess(command, args);
  if (exit_code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${exit_code}`);
  return stdout;
}

function median(times: readonly ReadTime[]): ReadTime {
  return times.toSorted((a, b) => a.read_s - b.read_s)[times.length >> 1];
}
