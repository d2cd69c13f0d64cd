import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

// npm test, npm run test:ci, npm run nightly: node scripts/test.ts TIER [options and files of vitest].
// Without files, the projects of the tier run; with files, just those, whichever tier they belong to.

const projects: Readonly<Record<string, readonly string[]>> = {
  commit: ['pure', 'process', 'alone'],
  ci: ['system', 'interop'],
  nightly: ['pure', 'process', 'alone', 'system', 'interop', 'nightly'],
};

const [tier = '', ...args] = process.argv.slice(2);
if (projects[tier] === undefined) {
  console.error(`test: unknown tier ${tier}; one of ${Object.keys(projects).join(', ')}`);
  process.exit(2);
}
const { tokens } = parseArgs({ args, strict: false, tokens: true });
const namesFiles = tokens.some((token) => token.kind === 'positional' && isPath(token.value));
const namesProjects = tokens.some((token) => token.kind === 'option' && token.name === 'project');
const chosen = namesFiles || namesProjects ? [] : projects[tier].flatMap((name) => ['--project', name]);

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const child = spawn(process.execPath, [vitest, 'run', ...chosen, ...args], {
  stdio: 'inherit',
  env: { ...process.env, ASSAY_TEST_TIER: tier },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));

/** A file or folder, and not the value of an option, such as the name after `-t`. */
function isPath(text: string): boolean {
  return /[/.]/.test(text) && !text.includes(' ');
}
