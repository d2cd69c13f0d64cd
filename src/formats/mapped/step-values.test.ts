import { describe, expect, it } from 'vitest';
import { PickledArray, type PickleValue, parsePickle } from '../shared/arrays/parse-pickle.ts';
import { namedValues } from './step-values.ts';

const dictionary = (entries: readonly (readonly [string, PickleValue])[]): Map<PickleValue, PickleValue> =>
  new Map(entries);

const wide: PickleValue[] = Array.from({ length: 1000 }, () => 1);

describe('values of a pickled dictionary', () => {
  it('that contains itself many times are refused at once', () => {
    const own = [...'abcdefghij'].map((key) =>
      Buffer.concat([Buffer.from([0x8c, 1]), Buffer.from(`${key}h\0`)]),
    );
    const bytes = Buffer.concat([Buffer.from([0x80, 4, 0x7d, 0x94, 0x28]), ...own, Buffer.from('u.')]);
    const { values, unread } = namedValues(parsePickle(bytes, 'a.pkl'), 'a.pkl');
    expect(values.size).toBe(0);
    expect(unread.get('a')?.message).toBe('a.pkl: a contains itself');
  });

  it('that share dictionaries are limited in number', () => {
    let value = dictionary([['x', null]]);
    for (let level = 0; level < 6; level++) {
      const inner = value;
      value = dictionary(Array.from({ length: 20 }, (_, key) => [`${key}`, inner]));
    }
    expect(() => namedValues(value, 'a.pkl')).toThrow('a.pkl has more than 100000 members');
  });

  it('below the limit of levels are reported', () => {
    let value: PickleValue = 1;
    for (let level = 0; level < 10; level++) value = dictionary([['a', value]]);
    const [[path, error]] = namedValues(value, 'a.pkl').unread;
    expect([path.length, error.message]).toEqual([15, expect.stringContaining('deeper than 8 levels')]);
  });

  it('that are one list are joined once, with a limit for all lists of the file', () => {
    const list = Array.from({ length: 1000 }, (_, i) => [i, null]);
    const { values } = namedValues(
      dictionary(Array.from({ length: 9000 }, (_, key) => [`k${key}`, list])),
      'a.pkl',
    );
    expect(values.size).toBe(9000);
    const rows: PickleValue[] = Array.from({ length: 40_000 }, () => wide);
    const { unread } = namedValues(dictionary([['a', rows]]), 'a.pkl');
    expect(unread.get('a')?.message).toContain('larger than 256 MiB');
  });

  it('that are lists of arrays are one array', async () => {
    const item = Object.assign(new PickledArray(), {
      descr: '>i2',
      shape: [2],
      bytes: Uint8Array.of(0, 1, 0, 2),
    });
    const array = namedValues(dictionary([['q', [item, item]]]), 'a.pkl').values.get('q');
    if (typeof array !== 'object' || !('readNumbers' in array)) throw new Error('no array');
    expect(array.shape).toEqual([2, 2]);
    // Read twice, because numbers in another byte order are turned in place.
    expect([...(await array.readNumbers())]).toEqual([1, 2, 1, 2]);
    expect([...(await array.readNumbers())]).toEqual([1, 2, 1, 2]);
  });
});
