import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSet, writeSet } from '#test/support/lerobot-set';

/** The footer stays sound: only reading the pages shows the damage. */
function damagePages(path: string): void {
  const bytes = readFileSync(path);
  bytes.fill(0xff, 4, 40);
  writeFileSync(path, bytes);
}

describe('a set with damaged pages', () => {
  it('in the table of episodes takes the episodes from the data files', async () => {
    const folder = await writeSet();
    damagePages(join(folder, 'meta/episodes/chunk-000/file-000.parquet'));
    const { episodes, finding } = await readSet(folder);
    expect(finding('episodes_unreadable')?.path).toBe('meta/episodes/chunk-000/file-000.parquet');
    expect(episodes).toHaveLength(3);
  });

  it('in one data file gives the episodes of the others, and names each that is lost', async () => {
    const folder = await writeSet({ layout: 'v2' });
    damagePages(join(folder, 'data/chunk-000/episode_000001.parquet'));
    const { episodes, unreadable } = await readSet(folder);
    expect(episodes.map(({ index }) => index)).toEqual([0, 2]);
    expect(unreadable).toMatchObject([{ index: 1, finding: { code: 'data_file_unreadable' } }]);
  });
});
