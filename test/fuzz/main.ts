import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { codecs } from './codecs.ts';
import { type FuzzFailure, type FuzzReport, fuzzFormat } from './fuzz-format.ts';
import { FuzzRunner } from './fuzz-runner.ts';
import { filesBelow, fixTarget, formatIds } from './seeds.ts';

const help = `npm run fuzz -- [options]: reads corrupted copies of valid recordings and prints the results
  --format ID      only this format, packages/NAME, or fix/FORMAT, which fixes corrupted copies and undoes it; may be given
                   several times (default: all of them)
  --count N        mutations per format (default 200)
  --seed N         random seed of the mutations (default 1)
  --seconds N      maximum time, divided among the formats (default 3600)
  --limit N        seconds before reading one counts as hung (default 10)
  --out DIR        folder for recordings that failed (default fuzz-failures)
  --replay DIR     reads only the recording of one failure again (--format packages/NAME for one of a package)
`;

const { values } = parseArgs({
  options: {
    format: { type: 'string', multiple: true, default: [...formatIds] },
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '3600' },
    limit: { type: 'string', default: '10' },
    out: { type: 'string', default: 'fuzz-failures' },
    replay: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}

process.exitCode = (await (values.replay === undefined ? fuzzAll() : replay(values.replay))) ? 1 : 0;

/** True when anything failed. */
async function fuzzAll(): Promise<boolean> {
  const end = performance.now() + Number(values.seconds) * 1000;
  let failed = false;
  for (const [done, format] of values.format.entries()) {
    const left_s = Math.max(0, end - performance.now()) / 1000;
    const report = await fuzzFormat(format, {
      seed: Number(values.seed),
      count: Number(values.count),
      seconds: left_s / (values.format.length - done),
      time_s: Number(values.limit),
    });
    for (const failure of report.failures) keep(failure, values.out);
    process.stdout.write(textOf(report));
    failed ||= report.failures.length > 0 || report.seeds === 0;
  }
  return failed;
}

async function replay(folder: string): Promise<boolean> {
  const runner = new FuzzRunner({ time_s: Number(values.limit), heap_mb: 1024 });
  const [only] = values.format;
  const codec = values.format.length === 1 && Object.hasOwn(codecs, only) ? { codec: only } : {};
  const fix = values.format.length === 1 && fixTarget(only) !== null ? { fix: true } : {};
  const answer = await runner.read({ files: filesBelow(join(folder, 'recording')), ...codec, ...fix });
  await runner.close();
  process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  return 'ended' in answer || answer.faults.length > 0;
}

/** Writes the recording and what is known of it, so that it can be read again. */
function keep(failure: FuzzFailure, out: string): void {
  const folder = join(out, failure.format, `${failure.seed}-${failure.number}`);
  for (const [path, bytes] of failure.spoiled.files) {
    const file = join(folder, 'recording', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  const { spoiled, ...known } = failure;
  writeFileSync(
    join(folder, 'failure.json'),
    `${JSON.stringify({ ...known, what: spoiled.what }, null, 2)}\n`,
  );
}

function textOf(report: FuzzReport): string {
  const { format, seeds, mutations, episodes, noticed, slowest_ms, peak_mb, failures } = report;
  const head = `${format}: ${mutations} mutations of ${seeds} seeds, ${noticed} noticed, ${episodes} episodes, slowest ${Math.round(slowest_ms)} ms, peak ${Math.round(peak_mb)} MB\n`;
  const lines = [`  findings: ${tallied(report.findings)}\n`, `  errors: ${tallied(report.errors)}\n`];
  if (report.passing > 0) lines.push(`  ${report.passing} hung or died once, and not again\n`);
  if (seeds === 0) lines.push('  NO SEED: add a conformance case, or a row to test/fuzz/seeds.ts\n');
  const groups = Map.groupBy(failures, ({ kind, why }) => `${kind} ${firstPlace(why)}`);
  for (const [group, own] of groups)
    lines.push(`  FAILED ${own.length} times, first ${own[0].seed}-${own[0].number}: ${group}\n`);
  return head + lines.join('');
}

/** A fault by its message and the first line of the project that it comes from. */
function firstPlace(why: string): string {
  const [message, ...frames] = why.split('\n');
  const place = frames.find((frame) => frame.includes('/src/') || frame.includes('/packages/')) ?? '';
  return `${message.slice(0, 200)} ${place.trim()}`;
}

function tallied(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  return sorted.length === 0 ? 'none' : sorted.map(([code, count]) => `${code} ${count}`).join(', ');
}
