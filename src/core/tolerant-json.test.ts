import { describe, expect, it } from 'vitest';
import { parseTolerantJson, parseTolerantJsonLines } from './tolerant-json.ts';

describe('tolerant JSON', () => {
  it.each([
    ['{"a": 1}', { a: 1 }, [], []],
    ['\ufeff{"a": 1}', { a: 1 }, [], ['a byte order mark']],
    [
      '{"a": NaN, "b": [-Infinity, Infinity]}',
      { a: null, b: [null, null] },
      ['the literal NaN', 'the literal -Infinity', 'the literal Infinity'],
      [],
    ],
    ['{"a": "NaN, \\"Infinity\\","}', { a: 'NaN, "Infinity",' }, [], []],
    ['{"NaNs": NaN}', { NaNs: null }, ['the literal NaN'], []],
    ['{"a": [1, 2,],}', { a: [1, 2] }, [], ['a trailing comma']],
    ['{"a": 1}\n\0\0garbage', { a: 1 }, [], ['text after the end of the document']],
    [Buffer.from('\ufeff{"a": 1}'), { a: 1 }, [], ['a byte order mark']],
    [Buffer.from('\ufeff{"a": "é"}', 'utf16le'), { a: 'é' }, [], ['UTF-16 instead of UTF-8']],
    [Buffer.from('{"a": "é"}', 'latin1'), { a: '\ufffd' }, [], ['invalid UTF-8']],
    [`{"a": 0.${'3'.repeat(5000)}}`, { a: 1 / 3 }, [], []],
    [`{"a": ${'1'.repeat(5000)}.5}`, { a: Number.POSITIVE_INFINITY }, [], []],
    [
      `{"a": -${'1'.repeat(4301)}}`,
      { a: Number.NEGATIVE_INFINITY },
      [],
      ['an integer with more than 4300 digits'],
    ],
    [`{"a": "${'['.repeat(1000)}${'1'.repeat(5000)}"}`, expect.anything(), [], []],
    [`${'['.repeat(961)}${']'.repeat(961)}`, expect.anything(), [], ['nesting deeper than 960 levels']],
  ])('%.40j is read', (source, value, oddities, refused) => {
    expect(parseTolerantJson(source, 'x.json')).toEqual({
      value,
      oddities: [...oddities, ...refused],
      refused,
    });
  });

  it('names the file when nothing helps', () => {
    expect(() => parseTolerantJson('{"a": ', 'meta/x.json')).toThrow(/meta\/x\.json: invalid JSON/);
    expect(() => parseTolerantJson('', 'meta/x.json')).toThrow('meta/x.json is empty (0 bytes)');
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n';
    expect(() => parseTolerantJson(pointer, 'meta/x.json')).toThrow('meta/x.json is a Git LFS pointer');
  });

  it('reads lines with CRLF, blanks and a broken one', () => {
    const text = '{"a": 1}\r\n\r\n{"a"\n{"a": NaN}\r\ufeff{"a": 2}\nnull\n';
    expect(parseTolerantJsonLines(text, 'x.jsonl')).toEqual({
      values: [{ a: 1 }, { a: null }, { a: 2 }, null],
      bad_lines: [3],
      oddities: ['the literal NaN', 'a byte order mark'],
      refused: ['a blank line', 'a line with null'],
    });
    expect(parseTolerantJsonLines('{"a": 1}', 'x.jsonl')).toMatchObject({ values: [{ a: 1 }], refused: [] });
  });
});
