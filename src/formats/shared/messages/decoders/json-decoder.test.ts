import { emptyTaps, type Taps, typeAt } from '@assay/ros-messages';
import { describe, expect, it } from 'vitest';
import { openJsonSchema } from './json-decoder.ts';
import { viewOf } from './message-compression.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = {
  messageEncoding: 'json',
  schemaEncoding: 'jsonschema',
  schemaName: 'thing',
  schema: new Uint8Array(0),
};

function decoderFor(first: string, taps: Partial<Taps>) {
  const { root, compile } = openJsonSchema(text, encode(first));
  const decoder = compile({ ...emptyTaps(), ...taps });
  return {
    root,
    out: decoder.out,
    decode: (message: string) => {
      const bytes = encode(message);
      return decoder.decode(bytes, viewOf(bytes), 0, bytes.length);
    },
  };
}

describe('decoding JSON messages', () => {
  it('learns what messages look like from the first one', () => {
    const { root } = decoderFor('{"a":1,"b":{"c":true},"d":[1,2],"e":"x","stamp":{"sec":1,"nsec":2}}', {});
    expect(typeAt(root, 'b.c')).toEqual({ kind: 'number', type: 'bool' });
    expect(typeAt(root, 'd')).toMatchObject({ kind: 'array', length: null });
    expect(typeAt(root, 'stamp')).toEqual({ kind: 'time' });
  });

  it('reads NaN and null as missing, and a message that is no JSON as broken', () => {
    const { decode, out } = decoderFor('{"a":[1,2,3]}', { numbers: [{ paths: ['a'] }] });
    expect(decode('{"a":[1,NaN,null]}')).toBe(true);
    expect(Array.from(out.numbers[0].subarray(0, out.counts[0]))).toEqual([1, Number.NaN, Number.NaN]);
    expect(decode('{"a":[1,')).toBe(false);
  });

  it.each([
    ['{"timestamp_ns":1700000000123456789}', 'timestamp_ns'],
    ['{"timestamp":1700000000123456789}', 'timestamp'],
    ['{"stamp":"1700000000123456789"}', 'stamp'],
    ['{"timestamp":"2023-11-14T22:13:20.123456789Z"}', 'timestamp'],
    ['{"timestamp":{"sec":1700000000,"nsec":123456789}}', 'timestamp'],
  ])('keeps every digit of the stamp in %s', (message, path) => {
    const { decode, out, root } = decoderFor(message, { stamp: path });
    expect(typeAt(root, path)).toEqual({ kind: 'time' });
    expect(decode(message)).toBe(true);
    expect([out.stamped, out.stampSec, out.stampNsec]).toEqual([true, 1_700_000_000, 123_456_789]);
  });

  it('tells milliseconds and microseconds since 1970 from nanoseconds by their digits', () => {
    const { decode, out } = decoderFor('{"timestamp":1700000000123}', { stamp: 'timestamp' });
    decode('{"timestamp":1700000000123}');
    expect([out.stampSec, out.stampNsec]).toEqual([1_700_000_000, 123_000_000]);
    decode('{"timestamp":1700000000123456}');
    expect([out.stampSec, out.stampNsec]).toEqual([1_700_000_000, 123_456_000]);
  });

  it('reads names and numbers through a list of objects', () => {
    const first = '{"joints":[{"name":"a","position":1},{"name":"b","position":2}]}';
    const { decode, out } = decoderFor(first, {
      numbers: [{ paths: ['joints[].position'] }],
      names: 'joints[].name',
    });
    expect(decode(first)).toBe(true);
    expect(out.names()).toEqual(['a', 'b']);
    expect(Array.from(out.numbers[0].subarray(0, 2))).toEqual([1, 2]);
  });

  it('is not led into the prototype by hostile keys', () => {
    const { decode, out } = decoderFor('{"a":1}', {
      numbers: [{ paths: ['__proto__.x'] }, { paths: ['constructor'] }],
    });
    expect(decode('{"__proto__":{"x":5}}')).toBe(true);
    expect(out.numbers[1][0]).toBeNaN();
  });

  it('refuses a first message that is no JSON', () => {
    expect(() => openJsonSchema(text, encode('hello'))).toThrow('not valid JSON');
  });
});
