import { describe, expect, it } from 'vitest';
import { pickleBytes } from '#test/support/pickle-file';
import { PickledArray, type PickleValue, parsePickle } from './parse-pickle.ts';

const parse = (bytes: string | Uint8Array): PickleValue =>
  parsePickle(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, 'a.pkl');
const refusal = (bytes: string): string => {
  try {
    parse(bytes);
  } catch (thrown) {
    return (thrown as Error).message;
  }
  return 'loaded';
};

describe('a pickle', () => {
  it('gives plain containers and numbers', () => {
    const value = parse(pickleBytes({ a: [1, 2.5, true, null], b: { c: 'text' } }));
    expect(value).toEqual(
      new Map<string, PickleValue>([
        ['a', [1, 2.5, true, null]],
        ['b', new Map([['c', 'text']])],
      ]),
    );
  });

  it('gives NumPy arrays with type, shape and bytes', () => {
    const values = Float32Array.of(1, 2, 3, 4, 5, 6);
    const array = (parse(pickleBytes([{ descr: 'f4', shape: [2, 3], values }])) as PickleValue[])[0];
    expect(array).toBeInstanceOf(PickledArray);
    expect(array).toMatchObject({ descr: '<f4', shape: [2, 3], column_major: false });
    expect([...new Float32Array(Uint8Array.from((array as PickledArray).bytes).buffer)]).toEqual([...values]);
  });

  // As written by Python: pickle.dumps({'a': 1, 'b': [True, 'x'], 'c': 10**30}, 0)
  it('of protocol 0 is read as well', () => {
    expect(
      parse('(dp0\nVa\np1\nI1\nsVb\np2\n(lp3\nI01\naVx\np4\nasVc\np5\nL1000000000000000000000000000000L\ns.'),
    ).toEqual(
      new Map<string, PickleValue>([
        ['a', 1],
        ['b', [true, 'x']],
        ['c', 10n ** 30n],
      ]),
    );
  });

  it.each([
    ['GLOBAL', "cos\nsystem\n(S'echo'\ntR.", 'GLOBAL, which imports os.system'],
    [
      'STACK_GLOBAL',
      '\x80\x04\x8c\x05posix\x8c\x06system\x93\x8c\x04echo\x85R.',
      'STACK_GLOBAL, which imports posix.system',
    ],
    ['INST', "(S'echo'\nios\nsystem\n.", 'INST'],
    ['OBJ', '(I1\no.', 'OBJ'],
    ['NEWOBJ', '\x80\x02N)\x81.', 'NEWOBJ'],
    ['EXT1', '\x80\x02\x82\x01.', 'EXT1'],
    ['PERSID', 'Pname\n.', 'PERSID'],
    ['BUILD', '}}b.', 'BUILD'],
    ['REDUCE', '(lVx\n\x85R.', 'REDUCE'],
    ['a type of NumPy that is called', 'cnumpy\nndarray\n(I1\ntR.', 'REDUCE, which calls numpy.ndarray'],
    ['a codec other than latin1', 'c_codecs\nencode\n(Vx\nVrot13\ntR.', 'REDUCE, which calls _codecs.encode'],
    ['another name of NumPy', 'cnumpy\nload\n.', 'GLOBAL, which imports numpy.load'],
  ])('with %s is refused', (_, bytes, why) => {
    expect(refusal(bytes)).toContain(`opcode ${why}`);
  });

  it.each([
    ['nothing', ''],
    ['no end', '(lp0\nI1\na'],
    ['too few values', 'a.'],
    ['no mark', 'I1\nt.'],
    ['a reference to nothing', 'h\x07.'],
    ['a length beyond the end', '\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\x7f.'],
    ['an unknown opcode', '\xff.'],
    ['a huge integer', '\x8b\xff\xff\xff\x7f.'],
  ])('with %s is damaged', (_, bytes) => {
    expect(refusal(bytes)).toContain('not a readable pickle');
  });

  it('of more containers than fit in memory is refused', () => {
    expect(() => parsePickle(Buffer.from(`${'}'.repeat(10_000)}.`), 'a.pkl', 1_000_000)).toThrow(
      'too many values',
    );
    const encoded = `c_codecs\nencode\np0\n(V${'x'.repeat(1000)}\nVlatin1\ntp1\n${'g0\ng1\nR'.repeat(500)}.`;
    expect(() => parsePickle(Buffer.from(encoded), 'a.pkl', 500_000)).toThrow('too many values');
  });

  it.each([
    ['inf', Number.POSITIVE_INFINITY],
    ['-inf', Number.NEGATIVE_INFINITY],
    ['nan', Number.NaN],
    ['1e3', 1000],
  ])('of protocol 0 with the number %s is read', (text, value) => {
    expect(parse(`F${text}\n.`)).toBe(value);
  });

  const dtype = "cnumpy\ndtype\n(S'u1'\nI0\nI1\ntR";
  const arrayState = (data: string) =>
    parse(
      `cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR(I1\n(I3\nt${dtype}I00\n${data}tb.`,
    );
  // As Python 2 writes an array, and as Python 3 writes one without elements in protocol 2.
  it.each([
    ['text of protocol 0', "S'a\\x00\\n'\n", [97, 0, 10]],
    ['text of protocol 2', 'U\x03a\x00\xff', [97, 0, 255]],
    ['a call of bytes without arguments', 'c__builtin__\nbytes\n(tR', []],
  ])('with an array whose data are %s is read', (_, data, bytes) => {
    expect([...(arrayState(data) as PickledArray).bytes]).toEqual(bytes);
  });

  it.each(["S'K'\n(I1\nI0\nt", "S'A'\n"])('with an array in another order of axes is refused', (order) => {
    const bytes = `cnumpy.core.numeric\n_frombuffer\n(C\x02ab${dtype}(I2\nI1\nt${order}tR.`;
    expect(refusal(bytes)).toContain('calls numpy.core.numeric._frombuffer with unusual arguments');
  });

  it('that refers to itself is read', () => {
    const list = parse('(lp0\nh\x00a.') as PickleValue[];
    expect(list[0]).toBe(list);
  });
});
