import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parseCsv } from './csv.ts';
import { CsvScanner, fieldText, isMissingMarker, parseNumber } from './csv-scanner.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-csv-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function scan(
  content: string | Buffer,
  delimiter = ',',
): Promise<{ rows: string[][]; lines: number[] }> {
  const path = join(folder, 'table.csv');
  writeFileSync(path, content);
  await using file = await open(path);
  const scanner = new CsvScanner(file, 'table.csv', { delimiter });
  const rows: string[][] = [];
  const lines: number[] = [];
  const take: Parameters<CsvScanner['readBlock']>[0] = (record) => {
    rows.push(Array.from({ length: record.fields }, (_, at) => fieldText(record, at)));
    lines.push(record.line);
  };
  while (await scanner.readBlock(take));
  return { rows, lines };
}

describe('scanning CSV', () => {
  it.each([
    ['LF', 'a,b\n1,2\n'],
    ['CRLF', 'a,b\r\n1,2\r\n'],
    ['CR alone', 'a,b\r1,2'],
    ['a byte order mark', '\ufeffa,b\n1,2\n'],
    ['blank lines', '\n\na,b\n\n1,2\n\n'],
    ['quotes', '"a","b"\n"1","2"'],
    ['text after a closing quote', '"a" ,"b"x\n"1"\t,"2" '],
  ])('takes %s', async (_, text) => {
    const table = [
      ['a', 'b'],
      ['1', '2'],
    ];
    expect((await scan(text)).rows).toEqual(table);
    expect(parseCsv(text)).toEqual(table);
  });

  it('keeps delimiters, quotes and line ends inside quotes, and counts their lines', async () => {
    const { rows, lines } = await scan('a,"b, ""c""\nd"\n1,2\n');
    expect(rows).toEqual([
      ['a', 'b, "c"\nd'],
      ['1', '2'],
    ]);
    expect(lines).toEqual([1, 3]);
  });

  it('gives ragged rows and empty fields as they are', async () => {
    expect((await scan('a,b,c\n1\n,,\n1,2,3,4')).rows).toEqual([
      ['a', 'b', 'c'],
      ['1'],
      ['', '', ''],
      ['1', '2', '3', '4'],
    ]);
  });

  it('reads records that cross blocks, thousands of columns wide', async () => {
    const row = Array.from({ length: 5000 }, (_, at) => String(at * 1.5));
    const text = Array.from({ length: 120 }, () => row.join(',')).join('\r\n');
    const { rows } = await scan(text);
    expect(rows).toHaveLength(120);
    expect(rows.every((one) => one.length === 5000 && one[4999] === '7498.5')).toBe(true);
  });

  it('refuses a quote that is never closed, and UTF-16, saying where', async () => {
    await expect(scan(`a,b\n"${'x'.repeat(12 * 1024 * 1024)}`)).rejects.toMatchObject({
      code: 'limit_exceeded',
      place: 'line 2',
    });
    await expect(scan(Buffer.from('\ufeffa,b', 'utf16le'))).rejects.toMatchObject({
      code: 'unreadable_input',
    });
  });

  it('says the same as the whole-text parser for any table', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '1', '"', ',', '\n', '\r', ' ', 'é'), maxLength: 6 });
    const quoted = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const text = rows.map((row) => row.map(quoted).join(',')).join('\n');
        expect((await scan(text)).rows).toEqual(parseCsv(text));
      }),
      { numRuns: 100 },
    );
  });
});

const number = (text: string, decimal?: string) => {
  const bytes = Buffer.from(text);
  return parseNumber(bytes, 0, bytes.length, decimal?.charCodeAt(0));
};

describe('numbers of a CSV field', () => {
  it.each([
    '0',
    '-0',
    '1.5',
    ' 12 ',
    '+3',
    '.5',
    '5.',
    '1e3',
    '-1.25E-7',
    '0.1',
    '123456789012345',
    '0.30000000000000004',
  ])('reads %s as JavaScript does', (text) => expect(number(text)).toBe(Number(text)));

  it('is the nearest double for any double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(number(String(value))).toBe(Number(String(value)));
        expect(number(value.toFixed(6))).toBe(Number(value.toFixed(6)));
      }),
      { numRuns: 500 },
    );
  });

  it.each(['', 'abc', '1 2', '1.2.3', '0x10', '1,5', '--1', '.', '-', '\0\0\0', '12.3 rad'])(
    'is none in %j',
    (text) => expect(number(text)).toBeNaN(),
  );

  it('takes a decimal comma only where it is said, and truth values', () => {
    expect(number('1,5', ',')).toBe(1.5);
    expect([number('True'), number('false'), number('-inf')]).toEqual([1, 0, Number.NEGATIVE_INFINITY]);
  });

  it('tells what is missing from what is no number', () => {
    expect(['', ' ', 'NaN', 'null', 'None', 'N/A', '-'].every(isMissingMarker)).toBe(true);
    expect(['abc', '1 2', '12.3 rad'].some(isMissingMarker)).toBe(false);
  });
});
