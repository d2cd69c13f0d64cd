/** The reader of this project: every signal decoded, every picture's checksum taken; the file is not hashed, since the peer hashes none. full-read.ts FILE */

import { readers } from '#formats';
import { openSourceTree } from '#io/sources';
import { peakMemory_bytes } from '#test/support/peak-memory';

const tree = await openSourceTree(process.argv[2]);
const reader = readers.get('mcap');
const started = performance.now();
const recognition = await reader?.recognise(tree);
if (reader === undefined || recognition === null || recognition === undefined)
  throw new Error('not an MCAP file');
const dataset = await reader.open(tree, recognition);
let samples = 0;
let peak = 0;
for (const unit of dataset.units) {
  for await (const episode of dataset.read(unit, { hashes: false })) {
    if ('unreadable' in episode) throw new Error(episode.finding.message);
    for (const stream of episode.streams) samples += stream.sample_count;
    peak = Math.max(peak, process.memoryUsage.rss());
  }
}
const peak_rss_mb = Math.round(Math.max(peak, peakMemory_bytes()) / 1e6);
console.log(JSON.stringify({ samples, peak_rss_mb, read_s: (performance.now() - started) / 1000 }));
