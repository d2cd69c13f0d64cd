import { existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, BenchOptions } from './bench.ts';
import { generateLog, type LogSettings } from './mcap/generate-log.ts';
import { measureProcess } from './support/measured-process.ts';

const folder = join(import.meta.dirname, 'mcap');

/** Reading MCAP with everything decoded, against @mcap/core passing over the same messages. */
export const mcapReadBench: Bench = {
  id: 'mcap',
  title: 'MCAP: read and decode, beside a bare @mcap/core read of the same file',
  run: async (options) => {
    const megabytes = options.quick ? 100 : 400;
    const teleop = await measureMcapRead(options, { megabytes, content: 'teleop' });
    const signals = await measureMcapRead(options, { megabytes: megabytes / 4, content: 'signals' });
    const passed = Math.min(teleop.ratio, signals.ratio) >= 0.5;
    return { passed, figures: { teleop, signals } };
  },
};

export interface McapReadFigures {
  readonly megabytes: number;
  readonly ours_s: number;
  readonly streamed_s: number;
  readonly indexed_s: number;
  /** Our speed by the speed of the faster of the two bare reads; 1 is as fast. */
  readonly ratio: number;
  readonly peak_rss_mb: number;
}

/** Generates a log of the size asked for (once), reads it in fresh processes, median of three, and prints one line. */
export async function measureMcapRead(
  options: BenchOptions,
  settings: LogSettings,
): Promise<McapReadFigures> {
  const path = join(options.scratch, `${settings.content}-${settings.megabytes}.mcap`);
  if (!existsSync(path)) {
    await generateLog(`${path}.part`, settings);
    renameSync(`${path}.part`, path);
  }
  // Turn by turn: a machine that is busy for a while slows all three.
  const rounds: ReadTime[][] = [];
  for (let round = 0; round < 3; round++) {
    rounds.push([
      await readTime('full-read.ts', [path]),
      await readTime('bare-read.ts', [path, 'stream']),
      await readTime('bare-read.ts', [path, 'indexed']),
    ]);
  }
  const [ours, streamed, indexed] = [0, 1, 2].map((side) => median(rounds.map((round) => round[side])));
  const megabytes = Math.round(statSync(path).size / 1e6);
  const ratio = Math.min(streamed.read_s, indexed.read_s) / ours.read_s;
  const { peak_rss_mb } = ours;
  options.print(
    `  ${settings.content}, ${megabytes} MB: ${ratio.toFixed(2)} times the speed of the bare read (at least 0.5); ` +
      `${ours.read_s.toFixed(2)} s, streamed ${streamed.read_s.toFixed(2)} s, indexed ${indexed.read_s.toFixed(2)} s; ${peak_rss_mb} MB resident`,
  );
  return {
    megabytes,
    ours_s: ours.read_s,
    streamed_s: streamed.read_s,
    indexed_s: indexed.read_s,
    ratio,
    peak_rss_mb,
  };
}

interface ReadTime {
  readonly read_s: number;
  readonly peak_rss_mb: number;
}

async function readTime(script: string, args: readonly string[]): Promise<ReadTime> {
  const cost = await measureProcess(process.execPath, [join(folder, script), ...args]);
  if (cost.exit_code !== 0) throw new Error(`${script} ended with ${cost.exit_code}`);
  const said = JSON.parse(cost.stdout) as { read_s: number; peak_rss_mb?: number };
  return { read_s: said.read_s, peak_rss_mb: said.peak_rss_mb ?? 0 };
}

function median(times: readonly ReadTime[]): ReadTime {
  return times.toSorted((a, b) => a.read_s - b.read_s)[times.length >> 1];
}
