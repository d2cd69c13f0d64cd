import { defineConfig } from 'vitest/config';

/** Folders whose tests change nothing of their process: one process takes many of their files and loads the code once. */
const pure =
  'src/{annotation,budget,catalog,contract,episode,exports,fixes,formats,kernel,readiness,report,sources}/**/*.test.ts';
const packages = '{packages,clients}/*/src/**/*.test.ts';

export default defineConfig({
  test: {
    globalSetup: './test/support/store-template.ts',
    // What one test measured is not for the next.
    env: { ASSAY_CACHE: 'none' },
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/skipped-reporter.ts'],
    projects: [
      { extends: true, test: { name: 'pure', include: [pure, packages], isolate: false } },
      {
        extends: true,
        test: {
          name: 'effects',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [pure, '**/node_modules/**'],
        },
      },
    ],
  },
});
