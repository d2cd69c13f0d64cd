/** A reader of this project: every signal decoded, every picture's checksum taken; files are not hashed, since peers hash none. full-read.ts PATH FORMAT */

import { availableParallelism } from 'node:os';
import { readers } from '#formats';
import { openSourceTree } from '#io/sources';
import { peakMemory_bytes } from '#test/support/peak-memory';

const [path, format] = process.argv.slice(2);
const tree = await openSourceTree(path);
const reader = readers.get(format);
// Modules are loaded before the clock starts, as those of the peers are.
const look = await reader?.recognise(tree);
if (look !== null && look !== undefined) await (await reader?.open(tree, look))?.close();
const started = performance.now();
const cpu = process.cpuUsage();
const recognition = await reader?.recognise(tree);
if (reader === undefined || recognition === null || recognition === undefined)
  throw new Error(`${path} is no ${format}`);
const dataset = await reader.open(tree, recognition);
let samples = 0;
for (const unit of dataset.units) {
  for await (const episode of dataset.read(unit, { hashes: false, threads: availableParallelism() })) {
    if ('unreadable' in episode) throw new Error(episode.finding.message);
    for (const stream of episode.streams) samples += stream.sample_count;
  }
}
await dataset.close();
const peak_rss_mb = Math.round(peakMemory_bytes() / 1e6);
const { user, system } = process.cpuUsage(cpu);
const cpu_s = (user + system) / 1e6;
console.log(JSON.stringify({ samples, peak_rss_mb, cpu_s, read_s: (performance.now() - started) / 1000 }));
