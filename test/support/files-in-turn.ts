/**
 * Test files of which `npm run test:ci` runs every second one; which half depends on the commit. Each tests in depth what other
 * files in CI test as well (see docs/testing.md), so most regressions are found at once and the others within a few commits.
 * Neighbours take about as long, so both halves do.
 */
export const filesInTurn: readonly string[] = [
  // Screens of the web application; `screens` opens all of them, `begin` goes from a new project to a download.
  'test/web/decisions.e2e.test.ts',
  'test/web/curation.e2e.test.ts',
  'test/web/own-service.e2e.test.ts',
  'test/web/layers.e2e.test.ts',
  'test/web/uploads.e2e.test.ts',
  'test/web/faults.e2e.test.ts',
  'test/web/search.e2e.test.ts',
  'test/web/player.e2e.test.ts',
  'test/web/objects.e2e.test.ts',
  'test/web/poses.e2e.test.ts',
  'test/web/side-by-side.e2e.test.ts',
  'test/web/episode-map.e2e.test.ts',
  'test/web/run-notices.e2e.test.ts',
  'test/web/web-address.e2e.test.ts',
  'test/report-films.browser.test.ts',
  'test/report-verdict.browser.test.ts',
  // Work that is cut off, shared, short of disk or paid for; `test/kill` kills every kind of work.
  'test/workers.e2e.test.ts',
  'src/service/operations/runs/annotating.e2e.test.ts',
  'src/service/operations/jobs/jobs.e2e.test.ts',
  'src/engine/durable/faults.e2e.test.ts',
  'test/blobs-away.e2e.test.ts',
  'test/exports-full-disk.e2e.test.ts',
  'test/fix-kill.e2e.test.ts',
  'src/engine/durable/full-disk.e2e.test.ts',
  // Recordings and blobs in S3.
  'test/s3-recordings.e2e.test.ts',
  'test/s3-runs.e2e.test.ts',
  // Exports of a service, by operations and by HTTP and the command line.
  'src/service/operations/exports/exports.e2e.test.ts',
  'test/exports.e2e.test.ts',
  // The copilot on whole tasks; its tools have tests of their own.
  'test/copilot-tasks.e2e.test.ts',
  'test/ask.e2e.test.ts',
  // Commands beside a service; the operations behind them have tests of their own.
  'test/admin-commands.e2e.test.ts',
  'test/ingest-place.e2e.test.ts',
  'test/probe.e2e.test.ts',
  'test/episodes.e2e.test.ts',
  // Each in the other half than the screens for the same.
  'src/service/operations/curation/curation-of-runs.e2e.test.ts',
  'test/search.e2e.test.ts',
  'src/service/operations/jobs/vision-jobs.e2e.test.ts',
  'test/uploads.e2e.test.ts',
  // Annotations of a folder or of a service; the published package, which the other tests start.
  'test/annotate-folder.e2e.test.ts',
  'test/bundle.e2e.test.ts',
  'test/models.e2e.test.ts',
  'test/annotate.e2e.test.ts',
];

/** Returns the files that `npm run test:ci` leaves to other commits. */
export const filesOfOtherTurns = (turn: number): readonly string[] =>
  filesInTurn.filter((_, place) => place % 2 !== turn % 2);
