import { describe, expect, it } from 'vitest';
import { orderSplitFiles } from './bag-metadata.ts';

describe('the order of a split bag', () => {
  it('is that of the numbers, not of the alphabet', () => {
    const listed = ['b/talk_0.db3', 'b/talk_1.db3', 'b/talk_10.db3', 'b/talk_2.db3'];
    expect(orderSplitFiles(listed)).toEqual([
      'b/talk_0.db3',
      'b/talk_1.db3',
      'b/talk_2.db3',
      'b/talk_10.db3',
    ]);
  });

  it('counts compressed and plain files alike', () => {
    expect(orderSplitFiles(['x_10.mcap.zstd', 'x_9.mcap'])).toEqual(['x_9.mcap', 'x_10.mcap.zstd']);
  });

  it.each([
    ['without numbers', ['later.db3', 'earlier.db3']],
    ['with different stems', ['b_1.db3', 'a_0.db3']],
    ['with one number twice', ['a_1.db3', 'a_01.db3', 'a_0.db3']],
  ])('is as listed where names come %s', (_, listed) => {
    expect(orderSplitFiles(listed)).toEqual(listed);
  });
});
