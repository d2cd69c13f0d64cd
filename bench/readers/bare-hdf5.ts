/**
 * Every number of an HDF5 file into typed arrays, as demonstrations are assessed: the numbers of one lie where those of
 * the one before lay. Three times over; the median counts. bare-hdf5.ts FILE
 */
import { openSourceTree } from '#formats';
import { type Hdf5Dataset, openHdf5, walkDatasets } from '../../src/formats/hdf5/index.ts';
import { ArrayRooms } from '../../src/formats/step-arrays/array-rooms.ts';

const times = 3;
const reads: number[] = [];
let bytes = 0;
for (let time = 0; time < times; time++) {
  bytes = 0;
  const rooms = new ArrayRooms();
  const started = performance.now();
  const tree = await openSourceTree(process.argv[2]);
  const file = await openHdf5(tree, tree.files[0].path);
  for await (const met of walkDatasets(file.root, { names: 1_000_000, depth: 16 })) {
    if (met.kind === 'dataset' && met.dataset.isNumeric)
      bytes += (await numbersOf(met.dataset, rooms)).byteLength;
  }
  await file.close();
  reads.push((performance.now() - started) / 1000);
}
const { user, system } = process.cpuUsage();
const peak_rss_mb = Math.round((process.resourceUsage().maxRSS * 1024) / 1e6);
const read_s = reads.toSorted((a, b) => a - b)[times >> 1];
console.log(JSON.stringify({ bytes, peak_rss_mb, cpu_s: (user + system) / 1e6, read_s }));

/** `/data/demo_7/obs/joint_pos` is the stream `obs/joint_pos`. */
function numbersOf(dataset: Hdf5Dataset, rooms: ArrayRooms) {
  const stream = dataset.path.replace(/^\/data\/[^/]+\//, '');
  return dataset.readNumbers(0, dataset.rows, (bytes) => rooms.of(stream, bytes));
}
