import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { SlowFirst } from './test/support/slow-first.ts';

/** Areas whose code touches neither files, clock nor network: their tests share a process without getting in each other's way. */
const pureAreas =
  'src/{core,formats,io/sources,io/video,quality/use-cases,quality/readiness,quality/report,labels/annotation,engine/budget}/**';
const pure = [`${pureAreas}/*.test.ts`, '{packages,clients}/*/src/**/*.test.ts'];
/** Tests that start services with their work engines, workers, commands or browsers. */
const system = ['{src,test,bench}/**/*.{e2e,browser}.test.ts'];
const interop = ['test/interop/**/*.test.ts'];
const nightly = ['**/*.nightly.test.ts'];
/** Tests that change what all code of their process sees: environment, working directory, limits, global objects. */
const alone = ['**/*.alone.test.ts'];
const never = ['**/node_modules/**'];
/** Files that scripts/test.ts leaves to other commits. */
const left = (process.env.ASSAY_TEST_LEFT ?? '').split(',').filter((file) => file !== '');

/** In CI a test of programs is tried once more, and listed at the end of the run for somebody to find out why it failed. */
const retry = process.env.CI === 'true' ? 1 : 0;

/** A project of test files; `share`: files of a worker run in one process, which loads the code once. */
const project = (name: string, include: string[], exclude: string[], share: boolean) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: [...never, ...exclude],
    isolate: !share,
    retry: name === 'system' || name === 'interop' ? retry : 0,
  },
});

export default defineConfig({
  test: {
    globalSetup: './test/support/global-setup.ts',
    env: {
      // Measurements of one test are not reused by the next.
      ASSAY_CACHE: 'none',
      // Threads and programs that tests start load modules compiled before, instead of stripping their types again.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/assay'),
    },
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    // Of two cores a third makes use while tests wait for databases, browsers and programs.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    sequence: { sequencer: SlowFirst },
    coverage: {
      include: ['src/**/*.ts', '{packages,clients}/*/src/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: ['text-summary'],
    },
    reporters: ['default', './test/support/closing-reporter.ts'],
    projects: [
      project('pure', pure, [...system, ...alone, ...nightly], true),
      project(
        'process',
        ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
        [...pure, ...system, ...interop, ...alone, ...nightly],
        true,
      ),
      project('alone', alone, [...interop, ...nightly], false),
      project('system', system, [...nightly, ...left], true),
      project('interop', interop, nightly, true),
      project('nightly', nightly, [], false),
    ],
  },
});
