import { describe, expect, it } from 'vitest';
import { splitFromPath, splitFromRanges, splitFromShardName } from './splits.ts';

describe('the split that a set declares', () => {
  it.each([
    ['images/train/a.jpg', 'train'],
    ['val2017/000.jpg', 'validation'],
    ['Test/hands/1.png', 'test'],
    ['trains/1.png', null],
    ['train.jpg', null],
  ])('of the picture %s is %s', (path, split) => {
    expect(splitFromPath(path)).toBe(split);
  });

  it('of a LeRobot episode is the first range it lies in', () => {
    const splits = { train: '0:80', test: '80:100', all: ':' };
    expect([0, 79, 80, 99, 100].map((index) => splitFromRanges(splits, index))).toEqual([
      ...['train', 'train', 'test', 'test', 'all'],
    ]);
    expect(splitFromRanges({ train: 'first half', test: 5 }, 3)).toBeNull();
  });

  it('of a record is in the name of its shard', () => {
    expect(splitFromShardName('1.0.0/bridge_dataset-train.tfrecord-00000-of-00512')).toBe('train');
    expect(splitFromShardName('part-00000.tfrecord')).toBeNull();
  });
});
