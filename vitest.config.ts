import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { SlowFirst } from './test/slow-first.ts';

/** Folders whose tests change nothing of their process: one process takes many of their files and loads the code once. */
const pureCode =
  'src/{annotation,budget,catalog,contract,episode,exports,fixes,formats,kernel,readiness,report,sources}/**';
const pure = `${pureCode}/*.test.ts`;
const packages = '{packages,clients}/*/src/**/*.test.ts';

export default defineConfig({
  test: {
    globalSetup: './test/support/store-template.ts',
    env: {
      // What one test measured is not for the next.
      ASSAY_CACHE: 'none',
      // Threads that tests start take modules as they were stripped of types before; stripping them in each thread is slow,
      // and now and then ends the process (nodejs/node#64500: V8 frees what WebAssembly imports share between threads).
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/assay'),
    },
    experimental: { viteModuleRunner: false, nodeLoader: false },
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    sequence: { sequencer: SlowFirst },
    // For `--project pure --coverage`, as CI asks: elsewhere the work is done in processes that nobody counts.
    coverage: {
      include: [`${pureCode}/*.ts`, '{packages,clients}/*/src/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: ['text-summary'],
    },
    reporters: ['default', './test/closing-reporter.ts'],
    projects: [
      { extends: true, test: { name: 'pure', include: [pure, packages], isolate: false } },
      {
        extends: true,
        test: {
          name: 'effects',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [pure, '**/node_modules/**'],
          // Processes, sockets and clocks of a busy machine: what passes only when tried again is listed at the end.
          retry: process.env.CI === 'true' ? 1 : 0,
        },
      },
    ],
  },
});
