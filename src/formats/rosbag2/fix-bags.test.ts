import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { bagBytes, bagMetadata, levels, storedBag } from '#test/support/db3-files';
import { applyPlan, planFixes, removeEmptyJournalFolder, undoLast } from '../fix/index.ts';
import { parseBagMetadata } from '../shared/bags/bag-metadata.ts';

const scratch = await mkdtemp(join(tmpdir(), 'assay-fix-rosbag2-'));
const folder = join(scratch, 'walk');
const sidecar = join(folder, 'metadata.yaml');
const place = { root: scratch, file: null };

const plan = () => planFixes(place, { stamps: false, video: false });
const apply = async () => applyPlan(await plan(), '2026-01-01T00:00:00Z');
const said = async () => parseBagMetadata(await readFile(sidecar, 'utf8'), 'metadata.yaml');
const part = (at: number) => join(folder, `walk_${at}.db3`);

beforeEach(async () => {
  await rm(scratch, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

describe('a ROS 2 bag', () => {
  it('without metadata.yaml gets one that counts its files in the order of recording', async () => {
    await writeFile(part(2), bagBytes(levels(5, 100)));
    await writeFile(part(10), bagBytes(levels(7, 200)));
    await apply();
    expect(await said()).toMatchObject({
      ...{ version: 7, storage: 'sqlite3', messages: 12, files: ['walk_2.db3', 'walk_10.db3'] },
      topicMessages: new Map([['/level', 12]]),
    });
    expect(await readFile(sidecar, 'utf8')).toContain('nanoseconds: 1060000000\n');
    expect((await plan()).changes).toEqual([]);
    await undoLast(scratch);
    await removeEmptyJournalFolder(scratch);
    expect(await readdir(folder)).toEqual(['walk_10.db3', 'walk_2.db3']);
  });

  it('whose metadata.yaml agrees is left as it is', async () => {
    await writeFile(part(0), bagBytes(levels(20)));
    await writeFile(sidecar, bagMetadata({ version: 5, files: ['walk_0.db3'], messages: 20 }));
    expect((await plan()).changes).toEqual([]);
  });

  it('keeps what its metadata.yaml says besides, and corrects what is counted otherwise', async () => {
    await writeFile(part(0), bagBytes(levels(20)));
    const custom = { operator: 'ada' };
    await writeFile(sidecar, bagMetadata({ version: 8, files: ['walk_0.db3'], messages: 4, custom }));
    const { changes } = await plan();
    expect(changes).toMatchObject([{ before: '4 messages', after: '20 messages in walk_0.db3' }]);
    await apply();
    const mended = await said();
    expect(mended).toMatchObject({ messages: 20, rosDistro: 'rolling' });
    expect(mended.custom).toEqual(new Map(Object.entries(custom)));
  });

  it('that lists a file which is not there is named, and its list stays', async () => {
    await writeFile(part(0), bagBytes(levels(20)));
    await writeFile(sidecar, bagMetadata({ version: 5, files: ['walk_0.db3', 'walk_1.db3'], messages: 40 }));
    const { changes, unfixed } = await plan();
    expect(changes).toEqual([]);
    expect(unfixed).toMatchObject([{ code: 'bag_file_missing' }]);
    expect(unfixed[0].message).toContain('walk_1.db3');
  });

  it.each([1, 2, 3, 4])('of schema %i that is cut off keeps what is whole', async (schema) => {
    const whole = bagBytes(levels(4000, 0, { schema }));
    await writeFile(part(0), whole.subarray(0, Math.floor(whole.length * 0.6)));
    await apply();
    const { messages } = await said();
    expect(messages).toBeGreaterThan(1000);
    expect(messages).toBeLessThan(4000);
    expect((await plan()).changes).toEqual([]);
  });

  it('that is cut off takes in the write-ahead log beside it', async () => {
    const { main, wal } = storedBag(levels(3000), 'open');
    expect(wal).not.toBeNull();
    await writeFile(part(0), main.subarray(0, main.length - 1));
    await writeFile(`${part(0)}-wal`, wal ?? '');
    await apply();
    expect((await said()).messages).toBeGreaterThan(2900);
    expect(await readdir(folder)).toEqual(['metadata.yaml', 'walk_0.db3']);
  });

  it('of which nothing can be read is named', async () => {
    await writeFile(part(0), bagBytes(levels(20)).subarray(0, 3000));
    const { changes, unfixed } = await plan();
    expect(changes).toEqual([]);
    expect(unfixed).toMatchObject([{ code: 'file_unreadable', path: 'walk/walk_0.db3' }]);
  });

  it('is not made of databases that lie together by chance', async () => {
    await writeFile(join(folder, 'a.db3'), bagBytes(levels(5)));
    await writeFile(join(folder, 'b.db3'), bagBytes(levels(5)));
    expect((await plan()).changes).toEqual([]);
  });

  it('is mended file by file where one file is named', async () => {
    const whole = bagBytes(levels(4000));
    await writeFile(part(0), bagBytes(levels(5)));
    await writeFile(part(1), whole.subarray(0, Math.floor(whole.length * 0.6)));
    const { files } = await planFixes({ root: folder, file: 'walk_1.db3' }, { stamps: false, video: false });
    expect(files.map(({ path }) => path)).toEqual(['walk_1.db3']);
  });
});
