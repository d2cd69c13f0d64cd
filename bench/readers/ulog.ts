import { existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, BenchOptions } from '../bench.ts';
import { measureProcess } from '../support/measured-process.ts';
import { generateUlog } from './generate-ulog.ts';

const peersPython = process.env.ASSAY_PEERS_PYTHON;
const sample = join(import.meta.dirname, '../../../shared/data/ulog/pyulog/test/sample.ulg');
const rounds = 3;
/** Times the speed of pyulog. */
const floor = 2;

/** Reading a PX4 log whole, against pyulog on the same file. */
export const ulogReadBench: Bench = {
  id: 'read-ulog',
  title: 'PX4 ULog: every number of every topic, beside pyulog on the same file',
  run: async (options) => {
    if (peersPython === undefined) {
      options.print('  pyulog: not measured (set ASSAY_PEERS_PYTHON to a Python that has it)');
      return { passed: true, figures: {} };
    }
    const minutes = options.quick ? 4 : 12;
    const path = join(options.scratch, `flight-${minutes}.ulg`);
    if (!existsSync(path)) {
      await generateUlog(`${path}.part`, minutes);
      renameSync(`${path}.part`, path);
    }
    const flight = await measureRead(
      options,
      path,
      1,
      `a flight of ${minutes} minutes, the first a process reads`,
    );
    if (!existsSync(sample)) return { passed: flight.ratio >= floor, figures: { flight } };
    const small = await measureRead(
      options,
      sample,
      9,
      'sample.ulg of pyulog, one of many that a process reads',
    );
    return { passed: Math.min(flight.ratio, small.ratio) >= floor, figures: { flight, sample: small } };
  },
};

interface Read {
  readonly numbers: number;
  readonly read_s: number;
  readonly peak_rss_mb: number;
}

interface ReadFigures {
  readonly megabytes: number;
  readonly ours_s: number;
  readonly pyulog_s: number;
  readonly ratio: number;
  readonly peak_rss_mb: number;
}

/** Turn by turn in fresh processes, median of three: a machine that is busy for a while slows both. */
async function measureRead(
  { print }: BenchOptions,
  path: string,
  times: number,
  what: string,
): Promise<ReadFigures> {
  const ours: Read[] = [];
  const theirs: Read[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(
      await readBy(process.execPath, [join(import.meta.dirname, 'bare-log.ts'), 'ulog', path, String(times)]),
    );
    theirs.push(await readBy(peersPython!, [join(import.meta.dirname, 'ulog_peer.py'), path, String(times)]));
  }
  const [{ read_s: ours_s, peak_rss_mb }, { read_s: pyulog_s }] = [median(ours), median(theirs)];
  const megabytes = Math.round(statSync(path).size / 1e5) / 10;
  const ratio = pyulog_s / ours_s;
  print(
    `  ${what}, ${megabytes} MB: ${ratio.toFixed(2)} times the speed of pyulog (at least ${floor}); ` +
      `${ours_s.toFixed(3)} s, pyulog ${pyulog_s.toFixed(3)} s; ${peak_rss_mb} MB resident`,
  );
  return { megabytes, ours_s, pyulog_s, ratio, peak_rss_mb };
}

async function readBy(command: string, args: readonly string[]): Promise<Read> {
  const cost = await measureProcess(command, args);
  if (cost.exit_code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${cost.exit_code}`);
  return JSON.parse(cost.stdout);
}

function median(reads: readonly Read[]): Read {
  return reads.toSorted((a, b) => a.read_s - b.read_s)[reads.length >> 1];
}
