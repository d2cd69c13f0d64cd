/**
 * Every number of the demonstrations in an HDF5 file into typed arrays, as they are assessed: the numbers of one lie
 * where those of the one before lay. Three times over; the median counts. bare-hdf5.ts FILE
 */

import { Hdf5Group, walkDatasets } from '@assay/hdf5';
import { openSourceTree } from '#io/sources';
import { peakMemory_bytes } from '#test/support/peak-memory';
import { ArrayPool } from '../../src/formats/shared/arrays/step-arrays.ts';
import { openHdf5 } from '../../src/formats/shared/hdf5-file.ts';

const times = 3;
const reads: number[] = [];
let bytes = 0;
for (let time = 0; time < times; time++) {
  bytes = 0;
  const rooms = new ArrayPool();
  const started = performance.now();
  const tree = await openSourceTree(process.argv[2]);
  const file = await openHdf5(tree, tree.files[0].path);
  const data = await file.root.group('data');
  for (const name of (await data?.links())?.keys() ?? []) {
    const demo = await data?.open(name);
    if (demo instanceof Hdf5Group) bytes += await readNumbers(demo, rooms);
    rooms.nextEpisode();
  }
  await file.close();
  reads.push((performance.now() - started) / 1000);
}
const { user, system } = process.cpuUsage();
const peak_rss_mb = Math.round(peakMemory_bytes() / 1e6);
const read_s = reads.toSorted((a, b) => a - b)[times >> 1];
console.log(JSON.stringify({ bytes, peak_rss_mb, cpu_s: (user + system) / 1e6, read_s }));

/** Bytes of the numbers of a demonstration. */
async function readNumbers(demo: Hdf5Group, rooms: ArrayPool): Promise<number> {
  let sum = 0;
  for await (const met of walkDatasets(demo, { names: 1_000_000, depth: 16 })) {
    if (met.kind !== 'dataset' || !met.dataset.isNumeric) continue;
    const { path, rows } = met.dataset;
    const stream = path.slice(demo.path.length + 1);
    sum += (await met.dataset.readNumbers(0, rows, (bytes) => rooms.acquire(stream, bytes))).byteLength;
  }
  return sum;
}
