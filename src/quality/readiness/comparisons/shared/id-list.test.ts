import { describe, expect, it } from 'vitest';
import { decodeIdList, encodeIdList } from './comparison-rows.ts';

describe('a list of ids', () => {
  it.each([[[]], [['a']], [['a', 'b c']], [['a\nb', 'c\\n', '\\', 'd\\\ne']]])('%j comes back', (ids) => {
    expect(decodeIdList(encodeIdList(ids))).toEqual(ids);
  });
});
