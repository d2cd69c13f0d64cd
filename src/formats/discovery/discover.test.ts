import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { temporaryFolder, writeSet } from '#test/support/lerobot-set';
import { readers } from '../registry.ts';
import { discover, reopen } from './discover.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

describe('discover', () => {
  it('finds sets in folders and files beside them, and prefixes their paths', async () => {
    const folder = await folderWith({ 'pictures/a.png': png, 'pictures/b.png': png, 'README.md': 'hello' });
    await mkdir(join(folder, 'deep'), { recursive: true });
    const broken = { 'data/chunk-000/file-000.parquet': 'PAR1 broken' };
    await rename(await writeSet({ files: 2, episodes: 4, extra: broken }), join(folder, 'deep/arm'));
    await rename(await writeSet({ layout: 'v2' }), join(folder, 'deep/hand'));
    const { datasets, findings } = await discover(folder);
    expect(datasets.map(({ path, recognition }) => [path, recognition.format])).toEqual([
      ['deep/arm', 'lerobot'],
      ['deep/hand', 'lerobot'],
      ['', 'pictures'],
    ]);
    expect(datasets[2].recognition.files).toEqual(['pictures/a.png', 'pictures/b.png']);
    expect(findings.map((finding) => [finding.code, finding.severity])).toEqual([['files_beside', 'info']]);
    expect(datasets[0].dataset.findings[0].path).toBe('deep/arm/data/chunk-000/file-000.parquet');
    const unreadable: (string | null)[] = [];
    for (const unit of datasets[0].dataset.units)
      for await (const read of datasets[0].dataset.read(unit, {}))
        if ('unreadable' in read) unreadable.push(read.finding.path);
    expect(unreadable).toEqual(Array(2).fill('deep/arm/data/chunk-000/file-000.parquet'));
  });

  it('opens again what it found, from plain JSON', async () => {
    const folder = await folderWith({});
    await rename(await writeSet({}), join(folder, 'arm'));
    const { datasets } = await discover(folder);
    const { path, recognition, dataset } = datasets[0];
    const again = await reopen(folder, JSON.parse(JSON.stringify({ path, recognition })));
    expect(again.units).toEqual(dataset.units);
    const ids: string[] = [];
    for (const unit of JSON.parse(JSON.stringify(again.units)))
      for await (const read of again.read(unit, {})) ids.push((read as Episode).id);
    expect(ids).toEqual(['episode_000000', 'episode_000001', 'episode_000002']);
  });

  it('takes a lone file', async () => {
    const folder = await folderWith({ 'a.png': png, 'b.png': png });
    const { datasets } = await discover(join(folder, 'a.png'));
    expect(datasets.map((row) => [row.path, row.recognition.files])).toEqual([['', ['a.png']]]);
  });

  it('names every file that pretends, and why', async () => {
    const folder = await folderWith({
      'ok.png': png,
      'text.mcap': 'this is text',
      'empty.mp4': '',
      'empty.parquet': '',
      'pointer.bag': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
      'stereo.svo2': 'SVO',
      'notes.txt': '',
    });
    const { findings, datasets } = await discover(folder);
    const read = await Promise.all(
      datasets.map(async ({ dataset }) => {
        const found = [...dataset.findings];
        for (const unit of dataset.units)
          for await (const episode of dataset.read(unit, {}))
            found.push(...('unreadable' in episode ? [episode.finding] : episode.findings));
        return found;
      }),
    );
    const all = [...findings, ...read.flat()];
    for (const name of ['text.mcap', 'empty.mp4', 'empty.parquet', 'pointer.bag'])
      expect([
        name,
        all.filter((finding) => finding.path === name && finding.severity === 'error').length,
      ]).toEqual([name, 1]);
    expect(findings.find((finding) => finding.code === 'format_not_read')?.message).toContain('stereo.svo2');
    expect(findings.find((finding) => finding.code === 'files_beside')?.message).toContain('notes.txt');
  });

  it('names at most fifty, then counts', async () => {
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`p${index}.mcap`, '']));
    const { findings } = await discover(await folderWith({ 'ok.png': png, ...files }));
    expect(findings.filter((finding) => finding.code === 'file_empty').length).toBeLessThanOrEqual(50);
  });

  it('says what it looked for when there is nothing', async () => {
    const folder = await folderWith({ 'a.txt': 'x' });
    await expect(discover(folder)).rejects.toMatchObject({ code: 'not_recognised', exitCode: 3 });
    await expect(discover(folder)).rejects.toHaveProperty(
      'advice',
      expect.stringContaining('docs/formats.md'),
    );
    await expect(discover(folder)).rejects.toThrow('a.txt is not in a supported format');
    await expect(discover(await folderWith({}))).rejects.toThrow('the folder is empty');
    await expect(discover(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('turns a set that cannot be opened into a finding while others can', async () => {
    const folder = await folderWith({
      'broken/meta/info.json': '{"codebase_version": "v3.0", "features": {}}',
      'a.png': png,
    });
    const { findings, datasets } = await discover(folder);
    expect(datasets).toHaveLength(1);
    expect(findings[0]).toMatchObject({ code: 'dataset_unreadable', severity: 'error', path: 'broken/data' });
  });

  it('asks each folder once and lists no folder twice', async () => {
    let asked = 0;
    const counting = {
      ...readers.rows[0],
      recognise: async () => {
        asked += 1;
        return null;
      },
    };
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`f${index % 4}/g${index % 8}/x${index}.txt`, 'x']),
    );
    await expect(discover(await folderWith(files), { readers: [counting] })).rejects.toThrow();
    expect(asked).toBe(1 + 4 + 8);
  });
});
