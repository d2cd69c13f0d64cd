import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/lerobot-set';
import { AnnotationFile } from './write-annotation-file.ts';

it('keeps class names with any character when annotations are completed', async () => {
  const names = ['cup\u2028saucer', 'cup\u2029', 'a\tb', 'a\nb', 'a\u0085b', '"}, {"'];
  const path = join(await temporaryFolder(), 'labels.json');
  const file = await AnnotationFile.open(path);
  await file.image({ id: 1, file_name: names[0] });
  for (const [id, category] of names.entries()) await file.annotation({ id, category });
  await file.finish([], ({ category, ...annotation }) => ({
    ...annotation,
    category_id: names.indexOf(String(category)),
  }));
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
    images: [{ id: 1, file_name: names[0] }],
    annotations: names.map((_, id) => ({ id, category_id: id })),
    categories: [],
  });
});
