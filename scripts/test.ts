import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { filesOfOtherTurns } from '#test/support/files-in-turn';
import { turn } from '#test/support/turn';

// npm test, npm run test:ci and npm run nightly run `node scripts/test.ts TIER [options and files of vitest]`.
// With the path of a file or folder its tests run, whichever tier they belong to; else the projects of the tier. Without a
// path, CI leaves every second of the files that take turns to other commits.

const everyDay = ['pure', 'process', 'alone', 'system', 'interop'];
const projects: Readonly<Record<string, readonly string[]>> = {
  commit: ['pure', 'process', 'alone'],
  ci: ['system', 'interop'],
  nightly: [...everyDay, 'nightly'],
};

const [tier = '', ...args] = process.argv.slice(2);
if (projects[tier] === undefined) {
  console.error(`test: unknown tier ${tier}; one of ${Object.keys(projects).join(', ')}`);
  process.exit(2);
}
const { tokens } = parseArgs({ args, strict: false, tokens: true });
const paths = tokens.flatMap((token) =>
  token.kind === 'positional' && existsSync(token.value) ? [token.value] : [],
);
const namesProjects = tokens.some((token) => token.kind === 'option' && token.name === 'project');
const chosen = paths.length === 0 ? projects[tier] : projectsOf(paths);

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const filter = namesProjects ? [] : chosen.flatMap((name) => ['--project', name]);
const left = tier === 'ci' && paths.length === 0 ? filesOfOtherTurns(turn) : [];
if (left.length > 0)
  console.log(
    `ASSAY_TEST_TURN=${turn}: ${left.length} files are left to other commits:\n  ${left.join('\n  ')}`,
  );
const child = spawn(process.execPath, [vitest, 'run', ...filter, ...args], {
  stdio: 'inherit',
  env: {
    ...process.env,
    ASSAY_TEST_TIER: tier,
    ASSAY_TEST_TURN: String(turn),
    // Read by vitest.config.ts: the option --exclude does not reach its projects.
    ASSAY_TEST_LEFT: left.join(),
  },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));

/** Every project; the nightly one only where a nightly file is named itself, so that a folder does not run its nightly files. */
function projectsOf(paths: readonly string[]): readonly string[] {
  const isNightly = tier === 'nightly' || paths.some((path) => path.includes('.nightly.'));
  return isNightly ? projects.nightly : everyDay;
}
