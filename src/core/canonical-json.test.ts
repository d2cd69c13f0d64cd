import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { AssayError } from './errors.ts';

/** IEEE 754 bits and their text: RFC 8785, appendix B. */
const numbers: readonly (readonly [bits: string, text: string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

function ofBits(bits: string): number {
  return Buffer.from(bits, 'hex').readDoubleBE(0);
}

describe('canonical JSON', () => {
  it.each(numbers)('prints the double %s as RFC 8785 appendix B does', (bits, text) => {
    expect(canonicalJson(ofBits(bits))).toBe(text);
  });

  it('gives the text of the RFC’s serialisation example', () => {
    const example = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
        '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    );
    expect(canonicalJson(example)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts members by UTF-16 code units as the RFC’s sorting example does', () => {
    const example = {
      '€': 'Euro Sign',
      '\r': 'Carriage Return',
      '\uFB33': 'Hebrew Letter Dalet With Dagesh',
      1: 'One',
      '\u{1F600}': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      ö: 'Latin Small Letter O With Diaeresis',
    };
    const order = [...canonicalJson(example).matchAll(/:"([^"]*)"/g)].map((match) => match[1]);
    expect(order).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  it('sorts members that look like numbers as text', () => {
    expect(canonicalJson({ 10: 'a', 9: 'b', x: { 2: 1, 11: 2 } })).toBe(
      '{"10":"a","9":"b","x":{"11":2,"2":1}}',
    );
  });

  it('parses back to the same value, which gives the same text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('does not depend on the order in which members were set', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
      }),
    );
  });

  it.each([
    ['NaN', Number.NaN],
    ['an infinity', Number.POSITIVE_INFINITY],
    ['a lone surrogate', 'x\uD800'],
    ['a lone surrogate as a name', { '\uDC00': 1 }],
    ['a lone surrogate beside text that spells one', ['\\ud800', '\uD800']],
    ['undefined in a list', [undefined]],
    ['a date', new Date(0)],
    ['a map', { a: new Map() }],
    ['a big integer', 1n],
    ['a typed array', new Float32Array(1)],
    ['a function named toJSON', { toJSON: () => 1 }],
  ])('refuses %s', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(AssayError);
  });

  it('leaves out members that are undefined', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
  });

  it('keeps text that spells an escape', () => {
    expect(canonicalJson('\\ud800')).toBe('"\\\\ud800"');
  });
});
