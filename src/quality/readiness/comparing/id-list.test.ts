import { describe, expect, it } from 'vitest';
import { idList, idsIn } from './id-list.ts';

describe('a list of ids', () => {
  it.each([[[]], [['a']], [['a', 'b c']], [['a\nb', 'c\\n', '\\', 'd\\\ne']]])('%j comes back', (ids) => {
    expect(idsIn(idList(ids))).toEqual(ids);
  });
});
