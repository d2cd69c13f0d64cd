import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { applyPlan, planFixes } from '../fix/index.ts';

const scratch = await mkdtemp(join(tmpdir(), 'assay-fix-coco-'));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const options = { stamps: false, video: false };
const inside = Array.from({ length: 20 }, (_, id) => ({
  id: id + 10,
  image_id: 1,
  category_id: 1,
  bbox: [id, 2, 3, 4],
  area: 12,
}));

async function planned(annotations: readonly object[]) {
  const text = JSON.stringify({
    images: [{ id: 1, width: 100, height: 50, file_name: 'a.png' }],
    categories: [{ id: 1, name: 'cup' }],
    annotations,
  });
  await writeFile(join(scratch, 'instances.json'), text.replace('[0,2,3,4]', '[0.0,2,3,4]'));
  return planFixes({ root: scratch, file: 'instances.json' }, options);
}

describe('boxes of COCO', () => {
  it('that reach out of their picture are clipped, and everything else stays as it is written', async () => {
    const plan = await planned([
      ...inside,
      { id: 1, image_id: 1, category_id: 1, bbox: [90, 40, 20, 20], area: 400 },
      { id: 2, image_id: 1, category_id: 1, bbox: [-10, -10, 30, 30], area: 77 },
    ]);
    expect(plan.unfixed).toEqual([]);
    await applyPlan(plan, '2026-01-01T00:00:00Z');
    const text = await readFile(join(scratch, 'instances.json'), 'utf8');
    expect(text).toContain('[0.0, 2, 3, 4]');
    const boxes = JSON.parse(text)
      .annotations.slice(-2)
      .map((one: { bbox: []; area: number }) => [one.bbox, one.area]);
    expect(boxes).toEqual([
      [[90, 40, 10, 10], 100],
      [[0, 0, 20, 20], 77],
    ]);
    expect((await planFixes({ root: scratch, file: 'instances.json' }, options)).changes).toEqual([]);
  });

  it('that lie outside wholly are named', async () => {
    const plan = await planned([...inside, { id: 1, image_id: 1, category_id: 1, bbox: [200, 0, 5, 5] }]);
    expect(plan.changes).toEqual([]);
    expect(plan.unfixed[0].message).toContain('annotation 1 lies completely outside');
  });

  it('that are corners for the most part are left alone', async () => {
    const corners = inside.map((one) => ({ ...one, bbox: [50, 20, 90, 45] }));
    const plan = await planned(corners);
    expect(plan.changes).toEqual([]);
    expect(plan.unfixed[0].advice).toContain('corner coordinates');
  });
});
