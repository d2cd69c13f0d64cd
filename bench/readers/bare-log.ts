/**
 * A reader of this project on one recording: every signal decoded, the file hashed. Read several times over, as a worker
 * reads many logs; the median counts. bare-log.ts FORMAT FILE TIMES
 */

import { readers } from '#formats';
import { openSourceTree } from '#io/sources';
import { peakMemory_bytes } from '#test/support/peak-memory';

const [format, path, times] = process.argv.slice(2);
const tree = await openSourceTree(path);
const reader = readers.get(format);
const recognition = await reader?.recognise(tree);
if (reader === undefined || recognition === null || recognition === undefined)
  throw new Error(`${path} is not recognised as ${format}`);
const dataset = await reader.open(tree, recognition);
let numbers = 0;
// Modules are loaded by now, as those of a peer are; nothing of the signals has been read.
const reads: number[] = [];
for (let time = 0; time < Number(times); time++) {
  const started = performance.now();
  for (const unit of dataset.units) {
    for await (const episode of dataset.read(unit, {})) {
      if ('unreadable' in episode) throw new Error(episode.finding.message);
      for (const { series, clocks } of episode.streams)
        numbers += (series?.values.length ?? 0) + clocks.length;
    }
  }
  reads.push((performance.now() - started) / 1000);
}
const read_s = reads.toSorted((a, b) => a - b)[reads.length >> 1];
const peak_rss_mb = Math.round(peakMemory_bytes() / 1e6);
console.log(JSON.stringify({ numbers, peak_rss_mb, read_s }));
