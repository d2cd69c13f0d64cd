import { existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, BenchOptions } from '../bench.ts';
import { runProgram, sideBySide } from '../support/side-by-side.ts';

const python = process.env.ASSAY_PEERS_PYTHON;
const peer = join(import.meta.dirname, 'hdf5_peer.py');
const bare = join(import.meta.dirname, 'bare-hdf5.ts');
const rounds = 3;
/** At most 1.5 times the time of h5py. */
const floor = 1 / 1.5;

/** Reading every number of HDF5 files, against h5py, which reads them with the HDF5 library in C. */
export const hdf5ReadBench: Bench = {
  id: 'read-hdf5',
  title: 'HDF5: read every number into arrays, beside h5py',
  run: async (options) => {
    if (python === undefined) {
      options.print('  not measured (set ASSAY_PEERS_PYTHON to a Python that has h5py)');
      return { passed: true, figures: {} };
    }
    const megabytes = options.quick ? 60 : 250;
    const contiguous = await measure(options, python, 'contiguous', megabytes);
    const gzip = await measure(options, python, 'gzip', megabytes / 2);
    return { passed: Math.min(contiguous.ratio, gzip.ratio) >= floor, figures: { contiguous, gzip } };
  },
};

interface Hdf5Figures {
  readonly megabytes: number;
  readonly ours_s: number;
  readonly h5py_s: number;
  /** Our speed by that of h5py. */
  readonly ratio: number;
  readonly peak_rss_mb: number | null;
}

async function measure(
  options: BenchOptions,
  program: string,
  layout: 'contiguous' | 'gzip',
  numbers_mb: number,
): Promise<Hdf5Figures> {
  const path = join(options.scratch, `hdf5-${layout}-${numbers_mb}.h5`);
  if (!existsSync(path)) {
    await runProgram({ command: program, args: [peer, 'write', `${path}.part`, layout, `${numbers_mb}`] });
    renameSync(`${path}.part`, path);
  }
  const [ours, theirs] = await sideBySide(
    [
      { command: process.execPath, args: [bare, path] },
      { command: program, args: [peer, 'read', path] },
    ],
    rounds,
  );
  const ratio = theirs.read_s / ours.read_s;
  const megabytes = Math.round(statSync(path).size / 1e6);
  options.print(
    `  ${layout}, ${megabytes} MB: ${ratio.toFixed(2)} times the speed of h5py (at least ${floor.toFixed(2)}); ` +
      `${ours.read_s.toFixed(3)} s, h5py ${theirs.read_s.toFixed(3)} s; ${ours.peak_rss_mb} MB resident`,
  );
  const peak_rss_mb = ours.peak_rss_mb ?? null;
  return { megabytes, ours_s: ours.read_s, h5py_s: theirs.read_s, ratio, peak_rss_mb };
}
