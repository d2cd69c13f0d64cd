import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bagBytes } from '#test/support/rosbag-files';
import { applyPlan, planFixes, removeEmptyJournalFolder, undoLast } from '../fix/index.ts';

const scratch = await mkdtemp(join(tmpdir(), 'assay-fix-bag-'));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const options = { stamps: false, video: false };
const place = { root: scratch, file: 'log.bag' };
const path = join(scratch, 'log.bag');
const bag = {
  connections: [{ topic: '/a', type: 'std_msgs/String', definition: 'string data' }],
  messages: Array.from({ length: 200 }, (_, at) => ({
    connection: 0,
    sec: 10 + at,
    data: new Uint8Array(40).fill(at),
  })),
};

describe('a ROS 1 bag', () => {
  it('that is whole is left as it is', async () => {
    await writeFile(path, bagBytes(bag));
    expect((await planFixes(place, options)).changes).toEqual([]);
  });

  it.each(['none', 'lz4', 'bz2'] as const)(
    'in %s that is cut off has an index of what is whole',
    async (compression) => {
      const whole = bagBytes({ ...bag, compression });
      await writeFile(path, whole);
      await truncate(path, Math.floor(whole.length * 0.6));
      const before = await readFile(path);
      const plan = await planFixes(place, options);
      expect(plan.changes.at(-1)?.after).toMatch(/^\d{2,3} messages in \d+ chunks$/);
      await applyPlan(plan, '2026-01-01T00:00:00Z');
      expect((await planFixes(place, options)).changes).toEqual([]);
      await undoLast(scratch);
      await removeEmptyJournalFolder(scratch);
      expect(await readFile(path)).toEqual(before);
    },
  );
});
