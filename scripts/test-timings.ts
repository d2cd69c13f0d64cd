import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readTimings, type Timing } from '#test/support/timings';

// npm run test:timings [-- --from FILE] [--write]: runs the tests that CI runs and prints where their time goes.
// --from prints the timings of an earlier run, which wrote them to the file that ASSAY_TEST_TIMINGS named.
// --write renews test/timings.json, from which the slowest files start first, and the table in docs/testing.md.

type FileTiming = Extract<Timing, { kind: 'file' }>;

const { values } = parseArgs({
  options: { from: { type: 'string' }, write: { type: 'boolean', default: false } },
});
const timings = readTimings(values.from ?? runTests());
const files = timings.filter((timing) => timing.kind === 'file').toSorted((a, b) => seconds(b) - seconds(a));
const tables = [phaseTable(), projectTable(), startTable(), fileTable(20)].filter((table) => table !== '');
console.log(tables.join('\n\n'));
if (values.write) {
  // Files that this run did not have, such as nightly ones, keep their seconds.
  const known: Record<string, number> = JSON.parse(readFileSync('test/timings.json', 'utf8'));
  for (const file of files) known[file.file] = Math.round(seconds(file));
  const slow = Object.entries(known).filter(([file, s]) => s >= 3 && existsSync(file));
  const sorted = Object.fromEntries(slow.toSorted((a, b) => b[1] - a[1]));
  writeFileSync('test/timings.json', `${JSON.stringify(sorted, null, 2)}\n`);
  writeTables('docs/testing.md');
}

/** Runs `npm test` and `npm run test:ci`; returns the file with their timings. */
function runTests(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'assay-timings-')), 'timings.jsonl');
  for (const tier of ['commit', 'ci'])
    spawnSync(process.execPath, ['scripts/test.ts', tier], {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, ASSAY_TEST_TIMINGS: file },
    });
  return file;
}

/** Time to import a test file and to run its tests and hooks. */
function seconds({ import_ms, run_ms }: FileTiming): number {
  return (import_ms + run_ms) / 1000;
}

function phaseTable(): string {
  const phases = timings.filter((timing) => timing.kind === 'phase');
  return table(
    ['step of CI', 's'],
    phases.map(({ name, s }) => [name, s]),
  );
}

function projectTable(): string {
  const rows = [...Map.groupBy(files, ({ project }) => project)].map(([project, own]) => [
    project,
    own.length,
    own.reduce((sum, { tests }) => sum + tests, 0),
    Math.round(own.reduce((sum, { import_ms }) => sum + import_ms, 0) / 1000),
    Math.round(own.reduce((sum, { run_ms }) => sum + run_ms, 0) / 1000),
  ]);
  return table(['project', 'files', 'tests', 'import s', 'tests and hooks s'], rows);
}

function startTable(): string {
  const starts = timings.filter((timing) => timing.kind === 'start');
  const all_ms = files.reduce((sum, { run_ms }) => sum + run_ms, 0);
  const rows = [...Map.groupBy(starts, ({ what }) => what)].map(([what, own]) => {
    const ms = own.reduce((sum, start) => sum + start.ms, 0);
    return [what, own.length, (ms / 1000).toFixed(0), `${((100 * ms) / all_ms).toFixed(1)} %`];
  });
  return table(['started', 'times', 's', 'share of tests and hooks'], rows);
}

function fileTable(count: number): string {
  const rows = files
    .slice(0, count)
    .map((file) => [`\`${file.file}\``, file.project, file.tests, seconds(file).toFixed(1)]);
  return table(['slowest files', 'project', 'tests', 's'], rows);
}

/** A Markdown table; empty without rows. */
function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  if (rows.length === 0) return '';
  const lines = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n');
}

/** Replaces what is between the two markers of a page. */
function writeTables(page: string): void {
  const [start, end] = ['<!-- timings -->', '<!-- end of timings -->'];
  const text = readFileSync(page, 'utf8');
  const [before, after] = [text.split(start)[0], text.split(end)[1]];
  if (after === undefined) throw new Error(`${page} lacks ${end}`);
  writeFileSync(page, `${before}${start}\n\n${tables.join('\n\n')}\n\n${end}${after}`);
}
