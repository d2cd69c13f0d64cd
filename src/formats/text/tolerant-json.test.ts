import { describe, expect, it } from 'vitest';
import { parseTolerantJson, parseTolerantJsonLines } from './tolerant-json.ts';

describe('tolerant JSON', () => {
  it.each([
    ['{"a": 1}', { a: 1 }, []],
    ['\ufeff{"a": 1}', { a: 1 }, ['a byte order mark']],
    [
      '{"a": NaN, "b": [-Infinity, Infinity]}',
      { a: null, b: [null, null] },
      ['the literal NaN', 'the literal -Infinity', 'the literal Infinity'],
    ],
    ['{"a": "NaN, \\"Infinity\\","}', { a: 'NaN, "Infinity",' }, []],
    ['{"NaNs": NaN}', { NaNs: null }, ['the literal NaN']],
    ['{"a": [1, 2,],}', { a: [1, 2] }, ['a comma before a closing bracket']],
    ['{"a": 1}\n\0\0garbage', { a: 1 }, ['text after the end']],
  ])('%j is read', (text, value, oddities) => {
    expect(parseTolerantJson(text, 'x.json')).toEqual({ value, oddities });
  });

  it('names the file when nothing helps', () => {
    expect(() => parseTolerantJson('{"a": ', 'meta/x.json')).toThrow(/meta\/x\.json is not JSON/);
    expect(() => parseTolerantJson('', 'meta/x.json')).toThrow('meta/x.json is empty (0 bytes)');
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n';
    expect(() => parseTolerantJson(pointer, 'meta/x.json')).toThrow('meta/x.json is a Git LFS pointer');
  });

  it('reads lines with CRLF, blanks and a broken one', () => {
    const { values, bad_lines } = parseTolerantJsonLines('{"a": 1}\r\n\r\n{"a"\n{"a": NaN}\n', 'x.jsonl');
    expect(values).toEqual([{ a: 1 }, { a: null }]);
    expect(bad_lines).toEqual([3]);
  });
});
