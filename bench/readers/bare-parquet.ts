/** The mapped reader over a folder with one table: every stream in arrays, nothing hashed. bare-parquet.ts FOLDER */

import { readers } from '#formats';
import { openSourceTree } from '#io/sources';
import { peakMemory_bytes } from '#test/support/peak-memory';

const tree = await openSourceTree(process.argv[2]);
const reader = readers.get('mapped');
const started = performance.now();
const recognition = await reader?.recognise(tree);
if (reader === undefined || recognition == null) throw new Error('there is no mapping');
const dataset = await reader.open(tree, recognition);
let samples = 0;
for (const unit of dataset.units) {
  for await (const episode of dataset.read(unit, { hashes: false })) {
    if ('unreadable' in episode) throw new Error(episode.finding.message);
    for (const stream of episode.streams) samples += stream.sample_count * (stream.series?.dims ?? 0);
  }
}
const peak_rss_mb = Math.round(peakMemory_bytes() / 1e6);
console.log(JSON.stringify({ samples, peak_rss_mb, read_s: (performance.now() - started) / 1000 }));
