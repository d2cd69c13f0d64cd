import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench } from './bench.ts';

/** By name; loaded when asked for, so that one bench needs nothing of the others. */
const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  lerobot: async () => (await import('./lerobot/numeric.ts')).numericBench,
  camera: async () => (await import('./lerobot/camera.ts')).cameraBench,
  'camera-encodings': async () => (await import('./cameras/main.ts')).cameraEncodingsBench,
  pictures: async () => (await import('./pictures.ts')).pictureBench,
  mcap: async () => (await import('./mcap-read.ts')).mcapReadBench,
  'read-parquet': async () => (await import('./readers/parquet.ts')).parquetReadBench,
  'read-rosbag2': async () => (await import('./readers/rosbag2.ts')).rosbag2Bench,
  export: async () => (await import('./exports/drop-a-third.ts')).dropAThirdBench,
  certification: async () => (await import('./certification.ts')).certificationBench,
  'service-certification': async () => (await import('./service/certification-job.ts')).certificationJobBench,
  'curation-speed': async () => (await import('./curation/speed.ts')).curationSpeedBench,
  'curation-information': async () => (await import('./curation/information.ts')).informationBench,
  inspect: async () => (await import('./inspect.ts')).inspectBench,
  memory: async () => (await import('./memory.ts')).memoryBench,
  'fresh-clone': async () => (await import('./fresh-clone.ts')).freshCloneBench,
  'service-run': async () => (await import('./service/run.ts')).serviceRunBench,
  'service-large': async () => (await import('./service/large-run.ts')).serviceLargeBench,
  'service-list': async () => (await import('./service/episode-list.ts')).episodeListBench,
  'service-estimates': async () => (await import('./service/estimates.ts')).estimatesBench,
  'service-annotation': async () => (await import('./service/annotation.ts')).serviceAnnotationBench,
  search: async () => (await import('./search/search.ts')).searchBench,
  'search-meaning': async () => (await import('./search/meaning.ts')).meaningBench,
  'search-alike': async () => (await import('./search/alike.ts')).alikeBench,
  'service-reads': async () => (await import('./service/viewer-reads.ts')).viewerReadsBench,
  'service-write': async () => (await import('./service/write-delay.ts')).writeDelayBench,
  'read-ulog': async () => (await import('./readers/ulog.ts')).ulogReadBench,
  'read-rosbag': async () => (await import('./readers/rosbag.ts')).rosbagReadBench,
  'read-hdf5': async () => (await import('./readers/hdf5.ts')).hdf5ReadBench,
  'lerobot-modes': async () => (await import('./lerobot-modes.ts')).lerobotModesBench,
  'assess-again': async () => (await import('./assess-again.ts')).assessAgainBench,
  'quick-look': async () => (await import('./quick-look.ts')).quickLookBench,
  'report-open': async () => (await import('./report-open.ts')).reportOpenBench,
  'copilot-tasks': async () => (await import('./copilot/tasks-bench.ts')).copilotTasksBench,
  'copilot-chats': async () => (await import('./copilot/hundred-chats.ts')).hundredChatsBench,
  lanes: async () => (await import('./annotation/lanes.ts')).lanesBench,
  'lane-workers': async () => (await import('./annotation/lane-workers.ts')).laneWorkersBench,
  'lane-memory': async () => (await import('./annotation/lane-memory.ts')).laneMemoryBench,
  'web-paint': async () => (await import('./web/paint.ts')).webPaintBench,
  'web-scroll': async () => (await import('./web/scroll.ts')).webScrollBench,
  player: async () => (await import('./service/player.ts')).playerBench,
  package: async () => (await import('./package.ts')).packageBench,
  faults: async () => (await import('./faults/main.ts')).faultBench,
};

// Benches measure the work itself, so nothing is cached.
process.env.ASSAY_CACHE ??= 'none';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    scratch: { type: 'string' },
  },
});
const wanted = positionals.length > 0 ? positionals : Object.keys(benches);
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`no bench called ${unknown.join(', ')}; there are: ${Object.keys(benches).join(', ')}`);
  process.exit(2);
}

const scratch = values.scratch ?? join(tmpdir(), 'assay-bench');
mkdirSync(scratch, { recursive: true });
const figures: Record<string, unknown> = {};
let passed = true;
for (const name of wanted) {
  const bench = await benches[name]();
  console.log(`\n${bench.title}`);
  const options = {
    quick: values.quick,
    json: values.json ?? null,
    scratch,
    print: (line: string) => console.log(line),
  };
  const result = await bench.run(options);
  figures[name] = result.figures;
  passed &&= result.passed;
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`);
process.exitCode = passed ? 0 : 1;
