import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Test files that take longest, longest first as measured on two cores; roughly is enough. */
const slowest = [
  'interop/fix.test.ts',
  'interop/lerobot-modes.test.ts',
  'test/kill.e2e.test.ts',
  'test/s3-recordings.test.ts',
  'test/jobs-kill.e2e.test.ts',
  'test/exports-kill.e2e.test.ts',
  'test/run-receipts.e2e.test.ts',
  'durable/faults.test.ts',
  'test/admin-commands.e2e.test.ts',
  'test/assess.e2e.test.ts',
  'test/workers.e2e.test.ts',
  'test/fresh-clone.test.ts',
  'test/models.e2e.test.ts',
  'runs/annotating.test.ts',
  'test/s3-runs.test.ts',
  'lerobot-modes/fix-modes.test.ts',
  'interop/schemathesis.test.ts',
  'interop/export-merged.test.ts',
  'interop/export-encoded.test.ts',
  'test/export-copied-video.test.ts',
  'test/hub-recordings.test.ts',
  'test/jobs-workers.e2e.test.ts',
  'test/ingest-place.e2e.test.ts',
  'test/fix-kill.e2e.test.ts',
  'interop/export-lerobot.test.ts',
  'certification/real-sets.test.ts',
  'test/annotate.e2e.test.ts',
  'test/annotate-folder.e2e.test.ts',
  'test/bundle.e2e.test.ts',
  'test/exports.e2e.test.ts',
];

/** Begins with the slowest files: one that begins last keeps a core waiting at the end. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const place = slowest.findIndex((end) => moduleId.endsWith(end));
  return place < 0 ? slowest.length : place;
}
