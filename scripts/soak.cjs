'use strict';
// Kills the service at a thousand random moments of a run, of a job, of an export (ASSAY_KILL_ROUNDS says otherwise) and looks what is left.
process.env.ASSAY_KILL_ROUNDS ??= '1000';
process.env.ASSAY_TEST_TIER = 'nightly';
process.argv.push('vitest', 'run', 'test/kill.e2e.test.ts');
require('./with-deps.cjs');
