import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot } from '#apps/samples';
import type { Receipt } from '#core/api';
import type { PictureScope } from '#core/episode';
import { assess } from '#engine/local';
import { reassess, receiptKey } from '#engine/local/reassess';

let set = '';
beforeAll(async () => {
  set = mkdtempSync(join(tmpdir(), 'assay-scopes-'));
  await writeTeleopLeRobot(set, 7, () => {}, { episodes: 2, plan: {} });
});
afterAll(() => rmSync(set, { recursive: true, force: true }));

async function judged(pictures: PictureScope) {
  const result = await assess(set, { pictures, receipts: true });
  const receipts = [...result.receipts()].map((json): Receipt => JSON.parse(json));
  await result.close();
  return { receipts, findings: result.findings.map(({ code }) => code) };
}

function checkOf({ checks }: Receipt, id: string) {
  return checks.find((check) => check.id === id);
}

const leftOut = 'images were not decoded (--pictures none)';

describe('how many of the pictures are looked at', () => {
  it('none: frames are counted, the rest is not assessable and said to be left out', async () => {
    const { receipts, findings } = await judged('none');
    expect(findings).toEqual(['pictures_left_out']);
    for (const receipt of receipts) {
      expect(receipt.pictures).toBe('none');
      expect(checkOf(receipt, 'image_integrity')).toMatchObject({
        status: 'not_assessable',
        reason: leftOut,
      });
      expect(checkOf(receipt, 'camera_coverage')).toMatchObject({ status: 'scored', score: 1 });
      expect(receipt.limits.filter((line) => line.endsWith(leftOut))).toHaveLength(1);
    }
    const sealed = receipts.map((receipt) => ({
      key: receiptKey(receipt),
      content_hash: receipt.content_hash,
      load: () => receipt,
    }));
    expect(await reassess(sealed, set, {}, {})).toEqual(new Map());
  });

  it('sampled is what is usual, and a receipt does not speak of it; all looks at every frame', async () => {
    const [usual, all] = [await judged('sampled'), await judged('all')];
    const unseen = /frames checked in|in \d+ of \d+ frames/;
    for (const receipt of usual.receipts) {
      expect('pictures' in receipt).toBe(false);
      expect(receipt.limits.join()).toMatch(unseen);
    }
    for (const receipt of all.receipts) {
      expect(receipt.pictures).toBe('all');
      expect(receipt.limits.join()).not.toMatch(unseen);
      expect(checkOf(receipt, 'image_integrity')?.status).toBe('scored');
    }
    expect([usual.findings, all.findings]).toEqual([[], []]);
  });
});
