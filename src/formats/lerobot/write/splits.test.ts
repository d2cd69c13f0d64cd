import { describe, expect, it } from 'vitest';
import { mapSplits } from './splits.ts';

describe('splits of a copy', () => {
  it.each([
    [{ train: '0:8', test: '8:10' }, [0, 2, 7, 9], { train: '0:3', test: '3:4' }],
    [{ train: '0:10' }, [4, 5], { train: '0:2' }],
    [{ train: 'all' }, [4, 5], { train: '0:2' }],
    [undefined, [1], { train: '0:1' }],
    [{}, [1], { train: '0:1' }],
  ])('%j with episodes %j left are %j', (splits, kept, expected) => {
    expect(mapSplits(splits, kept)).toEqual(expected);
  });
});
