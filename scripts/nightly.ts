import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

// npm run nightly [-- --only NAME] [-- --list]: everything too slow for CI, one step after the other. A step that fails does
// not stop the others; the last table has each step's result and duration. With files, only their tests run, at full size:
// npm run nightly -- test/kill.e2e.test.ts. Peers are found as in CI: see docs/testing.md.

interface Step {
  readonly name: string;
  /** Arguments of Node. */
  readonly args: readonly string[];
}

const steps: readonly Step[] = [
  { name: 'tests', args: ['scripts/test.ts', 'nightly'] },
  { name: 'coverage', args: ['scripts/test.ts', 'commit', '--coverage'] },
  { name: 'fuzz', args: ['test/fuzz/main.ts', '--count', '20000', '--seconds', '1200'] },
  { name: 'faults', args: ['bench/main.ts', 'faults'] },
  { name: 'camera-encodings', args: ['bench/main.ts', 'camera-encodings'] },
  { name: 'lerobot-modes', args: ['bench/main.ts', 'lerobot-modes'] },
  { name: 'same-bytes', args: ['scripts/same-bytes.ts', '--runs', '3'] },
  { name: 'assess-100000', args: ['bench/main.ts', 'memory'] },
  { name: 'service-100000', args: ['bench/main.ts', 'service-large'] },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', multiple: true }, list: { type: 'boolean', default: false } },
});
const unknown = values.only?.filter((only) => !steps.some(({ name }) => name === only)) ?? [];
if (unknown.length > 0) {
  console.error(
    `nightly: no step ${unknown.join(', ')}; there are ${steps.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}
const chosen =
  positionals.length > 0
    ? [{ name: 'tests', args: ['scripts/test.ts', 'nightly', ...positionals] }]
    : steps.filter(({ name }) => values.only?.includes(name) ?? true);
if (values.list) for (const { name, args } of steps) console.log(`${name}: node ${args.join(' ')}`);
else process.exitCode = runAll() ? 0 : 1;

/** True when every step passed. */
function runAll(): boolean {
  const results = chosen.map(({ name, args }) => {
    console.log(`\n== ${name}: node ${args.join(' ')}`);
    const began = performance.now();
    const { status } = spawnSync(process.execPath, args, {
      stdio: 'inherit',
    });
    return { name, passed: status === 0, s: Math.round((performance.now() - began) / 1000) };
  });
  console.log('\n| step | result | s |\n| --- | --- | --- |');
  for (const { name, passed, s } of results)
    console.log(`| ${name} | ${passed ? 'passed' : 'FAILED'} | ${s} |`);
  return results.every(({ passed }) => passed);
}
