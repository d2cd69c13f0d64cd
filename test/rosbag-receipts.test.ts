import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { receiptSchema } from '#core/api';
import { assess } from '#engine/local';

const fixtures = join(import.meta.dirname, '../../shared/data/rosbag/rosbag/fixtures');

/** The receipt of a lone recording, without what only says which file it is about. */
async function receiptOf(name: string) {
  const result = await assess(join(fixtures, name), { workers: 0, receipts: true });
  const [json] = [...result.receipts()];
  await result.close();
  const {
    content_hash: _,
    sources: __,
    episode,
    findings,
    ...receipt
  } = receiptSchema.parse(JSON.parse(json));
  return {
    ...receipt,
    episode: { ...episode, id: '', locator: { ...episode.locator, path: '' } },
    findings: findings.map((finding) => ({ ...finding, path: '' })),
  };
}

describe.skipIf(!existsSync(fixtures))('receipts of bags (skipped where shared/data is absent)', () => {
  it('are the same for plain, bz2 and lz4, but for the names and hashes of the files', async () => {
    const plain = await receiptOf('example.bag');
    expect(plain.streams).toHaveLength(9);
    expect(await receiptOf('example-bz2.bag')).toEqual(plain);
    expect(await receiptOf('example-lz4.bag')).toEqual(plain);
  });
});
