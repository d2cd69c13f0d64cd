import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot } from '#apps/samples';
import { temporaryFolder, writeSet } from '#test/support/lerobot-set';
import { lineageFile } from '../../steps/export/lineage.ts';
import { assess } from '../assess.ts';
import { type ExportOptions, exportDataset } from './export-dataset.ts';
import { verifyExport } from './verify-export.ts';

let source: string;
/** Two episodes without video, for tests in which what is exported does not matter. */
let small: string;
let out: string;

beforeAll(async () => {
  source = join(await temporaryFolder(), 'set');
  await writeTeleopLeRobot(source, 3, () => {}, {
    episodes: 6,
    plan: { 2: ['nan', 'medium'], 4: ['jump', 'medium'] },
  });
  small = await writeSet({ layout: 'v2', episodes: 2, rows: 40 });
  out = join(await temporaryFolder(), 'export');
  await exportDataset(source, out, {});
}, 120_000);

async function verdicts(path: string) {
  const result = await assess(path);
  await result.close();
  return result.verdicts;
}

describe('an export', () => {
  it('holds the accepted episodes, judged as in their source', async () => {
    const { lineage } = await verifyExport(out);
    const before = await verdicts(source);
    const accepted = before.filter(({ decision }) => decision === 'accept');
    expect(lineage.kept.map(({ id }) => id)).toEqual(accepted.map(({ id }) => id));
    expect(lineage.dropped.length).toBe(before.length - accepted.length);
    expect(lineage.dropped.length).toBeGreaterThan(0);
    const after = await verdicts(out);
    expect(after.map(({ decision, duration_s }) => [decision, duration_s])).toEqual(
      accepted.map(({ decision, duration_s }) => [decision, duration_s]),
    );
  });

  it('says why each episode was dropped', async () => {
    const { lineage } = await verifyExport(out);
    for (const { reason, flags, receipt } of lineage.dropped) {
      expect(reason).toMatch(/rejected|needs review/);
      expect(flags.length).toBeGreaterThan(0);
      expect(receipt).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it('is the same, byte for byte, when it is made again', async () => {
    const again = join(await temporaryFolder(), 'again');
    const { lineage } = await exportDataset(source, again, {});
    expect(lineage?.seal).toBe((await verifyExport(out)).lineage.seal);
  });

  it.each([
    ['changed', (folder: string) => appendFileSync(join(folder, 'meta/info.json'), ' ')],
    ['added', (folder: string) => writeFileSync(join(folder, 'meta/more.json'), '{}')],
    ['missing', (folder: string) => rmSync(join(folder, 'meta/stats.json'))],
    ['its hash does not match', (folder: string) => lie(join(folder, lineageFile))],
  ])('whose files were touched is found out: %s', async (word, touch) => {
    const copy = join(await temporaryFolder(), 'copy');
    cpSync(out, copy, { recursive: true });
    expect((await verifyExport(copy)).problems).toEqual([]);
    touch(copy);
    expect((await verifyExport(copy)).problems).toEqual([expect.stringContaining(word)]);
  });

  it('writes nothing where it is only asked what it would do', async () => {
    const folder = join(await temporaryFolder(), 'none');
    const { episodes, lineage } = await exportDataset(source, folder, { dry_run: true });
    expect(lineage).toBeNull();
    expect(episodes).toHaveLength(6);
    expect(existsSync(folder)).toBe(false);
  });

  it('says what each edit would do where it is only asked, which is what it does', async () => {
    const folder = join(await temporaryFolder(), 'export');
    const edits = {
      trim: ['0.5..2'],
      rename: ['action=action.joints'],
      video: ['h265'],
      split: ['a=0.5', 'b=0.5'],
    };
    const options = { only: ['0', '1', '3'], edits };
    const { plan, lineage: none } = await exportDataset(source, folder, { ...options, dry_run: true });
    expect(none).toBeNull();
    expect(existsSync(folder)).toBe(false);
    const { lineage } = await exportDataset(source, folder, options);
    expect(
      plan?.episodes.map(({ id, index, from, until }) => ({ id, index, rows: { from, until } })),
    ).toEqual(lineage?.kept.map(({ id, index, rows }) => ({ id, index, rows })));
    const info = JSON.parse(readFileSync(join(folder, 'meta/info.json'), 'utf8'));
    expect(plan).toMatchObject({
      rate_hz: info.fps,
      rows: info.total_frames,
      splits: info.splits,
      renamed: [{ from: 'action', to: 'action.joints' }],
    });
    const encoded = lineage?.edits.filter(({ edit }) => edit === 'encode').map(({ feature }) => feature);
    expect(plan?.cameras.filter((camera) => camera.encoded === 3).map(({ feature }) => feature)).toEqual(
      encoded,
    );
    expect(plan?.cameras.map(({ codec }) => codec)).toEqual(plan?.cameras.map(() => 'h265'));
  });

  it('never writes over anything', async () => {
    const full = await temporaryFolder();
    writeFileSync(join(full, 'mine.txt'), 'mine');
    const asked = exportDataset(source, full, {});
    await expect(asked).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('not empty'),
    });
    const inside = exportDataset(source, join(source, 'export'), {});
    await expect(inside).rejects.toMatchObject({ code: 'usage' });
    expect(readdirSync(full)).toEqual(['mine.txt']);
  });

  it('takes the place of what one that was killed left behind', async () => {
    const folder = join(await temporaryFolder(), 'export');
    const left = join(dirname(folder), '.export.assay-partial-4194305/videos');
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, 'half.mp4'), 'half');
    await exportDataset(small, folder, { only: ['0', '1'] });
    expect(readdirSync(dirname(folder))).toEqual(['export']);
    expect((await verifyExport(folder)).problems).toEqual([]);
  });

  it('beside one by another process onto the same folder is whole, whoever wins', async () => {
    const folder = join(await temporaryFolder(), 'export');
    const other = join(dirname(folder), `.export.assay-partial-${process.ppid}`);
    mkdirSync(other);
    writeFileSync(join(other, 'half.mp4'), 'half');
    await exportDataset(small, folder, { only: ['0'] });
    expect((await verifyExport(folder)).problems).toEqual([]);
    expect(readdirSync(other)).toEqual(['half.mp4']);
    const late = exportDataset(small, folder, { only: ['0'] });
    await expect(late).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('not empty'),
    });
  });

  it('of several datasets is refused before anything is measured, with what they are', async () => {
    const several = await temporaryFolder();
    for (const name of ['one', 'two']) cpSync(source, join(several, name), { recursive: true });
    const stages = new Set<string>();
    const target = join(await temporaryFolder(), 'refused');
    const refused = exportDataset(several, target, {}, { onProgress: ({ stage }) => void stages.add(stage) });
    await expect(refused).rejects.toMatchObject({
      code: 'usage',
      advice: 'choose one: one (lerobot), two (lerobot)',
    });
    expect([...stages]).toEqual(['look']);
    expect(existsSync(target)).toBe(false);
  });

  it('that is stopped leaves nothing', async () => {
    const folder = join(await temporaryFolder(), 'export');
    const abort = new AbortController();
    const onProgress = ({ stage }: { stage: string }) => {
      if (stage === 'export') abort.abort();
    };
    const asked = exportDataset(small, folder, { only: ['0'] }, { signal: abort.signal, onProgress });
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    expect(readdirSync(dirname(folder))).toEqual([]);
  });

  it('of a set that changes meanwhile is refused, with the file', async () => {
    const changing = await writeSet({ layout: 'v2', episodes: 3, rows: 40 });
    const folder = join(await temporaryFolder(), 'export');
    const file = 'data/chunk-000/episode_000001.parquet';
    const other = join(
      await writeSet({
        layout: 'v2',
        episodes: 3,
        rows: 40,
        data: (rows) => `SELECT * REPLACE ([2.0, 1.0]::FLOAT[] AS action) FROM (${rows})`,
      }),
      file,
    );
    const onProgress = ({ stage }: { stage: string }) => {
      if (stage === 'export') cpSync(other, join(changing, file));
    };
    const asked = exportDataset(changing, folder, { only: ['0', '1', '2'] }, { onProgress });
    await expect(asked).rejects.toMatchObject({ code: 'not_ready', path: file });
    expect(existsSync(folder)).toBe(false);
  });

  it('of an episode that is not there is refused', async () => {
    const asked = exportDataset(small, join(await temporaryFolder(), 'export'), { only: ['17'] });
    const message = expect.stringContaining('no episode named 17');
    await expect(asked).rejects.toMatchObject({ code: 'usage', message });
  });

  it.each<[ExportOptions, string]>([
    [{ without: ['0', '1'] }, 'excluded by --without'],
    [{ only: ['0', '1'], edits: { trim: ['900..'] } }, 'the edits remove all of its rows'],
  ])('of no episode writes nothing and says why: %j', async (choice, reason) => {
    const folder = join(await temporaryFolder(), 'export');
    const { episodes, lineage } = await exportDataset(small, folder, choice);
    expect(lineage).toBeNull();
    expect(episodes[0].dropped).toBe(reason);
    expect(episodes.every(({ dropped }) => dropped !== null)).toBe(true);
    expect(readdirSync(dirname(folder))).toEqual([]);
  });

  it.each<[ExportOptions, string]>([
    [
      { format: 'webdataset', edits: { video: ['h264'] } },
      '--video is not supported for exports to WebDataset shards',
    ],
    [
      { edits: { rename: ['observation.joints=arm'] } },
      '--rename: the dataset has no feature observation.joints',
    ],
    [{ edits: { drop: ['nothing'] } }, '--drop: the dataset has no feature nothing'],
  ])('that cannot be made is refused before anything is measured: %j', async (options, message) => {
    const stages = new Set<string>();
    const folder = join(await temporaryFolder(), 'refused');
    const hooks = { onProgress: ({ stage }: { stage: string }) => void stages.add(stage) };
    const refused = exportDataset(source, folder, options, hooks);
    await expect(refused).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(message) });
    expect([...stages].filter((stage) => stage !== 'look')).toEqual([]);
    expect(readdirSync(dirname(folder))).toEqual([]);
  });

  it('merges no set with itself, by whatever name', async () => {
    const folder = join(await temporaryFolder(), 'twice');
    const link = join(await temporaryFolder(), 'link');
    symlinkSync(source, link);
    const refused = exportDataset(source, folder, { merge: [link] });
    const message = expect.stringContaining('are the same dataset');
    await expect(refused).rejects.toMatchObject({ code: 'usage', message });
    expect(readdirSync(dirname(folder))).toEqual([]);
  });
});

/** Another decision, in a lineage that still parses. */
function lie(path: string): void {
  const lineage = JSON.parse(readFileSync(path, 'utf8'));
  lineage.kept[0].decision = 'reject';
  writeFileSync(path, JSON.stringify(lineage));
}
