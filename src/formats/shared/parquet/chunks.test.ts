import { expect, test } from 'vitest';
import { type Chunk, fetchChunks, fetchRows } from './chunks.ts';

async function only(sql: string): Promise<Chunk> {
  for await (const chunk of fetchChunks(sql)) return chunk;
  throw new Error('no rows');
}

test('texts and blobs come whole, short or long, and null where they are null', async () => {
  const long = 'as long as no entry of a vector can hold it';
  const chunk = await only(
    `SELECT t, encode(t) FROM (VALUES ('twelve bytes'), ('${long}'), (NULL), (''), ('Grüße')) v(t)`,
  );
  const texts = Array.from({ length: chunk.rows }, (_, row) => chunk.text(0, row));
  expect(texts).toEqual(['twelve bytes', long, null, '', 'Grüße']);
  expect(Buffer.from(chunk.bytes(1, 1)!).toString()).toBe(long);
  expect(chunk.bytes(1, 2)).toBeNull();
});

test('lists say where their rows lie, and which rows and numbers are null', async () => {
  const chunk = await only(`SELECT l::FLOAT[] FROM (VALUES ([1, 2]), (NULL), ([3, NULL, 5]), ([])) v(l)`);
  const { child, uniform, row } = chunk.lists(0);
  expect(uniform).toBeNull();
  expect([0, 1, 2, 3].map((at) => row(at)[1])).toEqual([2, -1, 3, 0]);
  expect([...child.values.subarray(0, 3)]).toEqual([1, 2, 3]);
  expect([...child.nulls!]).toEqual([0, 0, 0, 1, 0]);
});

test('rows that are all of one length are said to be so, in every chunk', async () => {
  const lengths: (number | null)[] = [];
  for await (const chunk of fetchChunks('SELECT [i, -i]::DOUBLE[], i::INTEGER FROM range(5000) t(i)')) {
    lengths.push(chunk.lists(0).uniform);
    const { values } = chunk.integers(1);
    expect(chunk.lists(0).child.values[2 * (chunk.rows - 1)]).toBe(values[chunk.rows - 1]);
  }
  expect(lengths).toEqual([2, 2, 2]);
});

test('small answers are objects; integers of 64 bits come as text', async () => {
  const answer = await fetchRows(`SELECT 9007199254740993 AS big, 7::INTEGER AS small, 0.5::DOUBLE AS half,
    true AS yes, NULL::VARCHAR AS nothing, 'text' AS word UNION ALL SELECT 1, NULL, NULL, false, '', NULL`);
  expect(answer).toEqual([
    { big: '9007199254740993', small: 7, half: 0.5, yes: true, nothing: null, word: 'text' },
    { big: '1', small: null, half: null, yes: false, nothing: '', word: null },
  ]);
});

test('a column of another type than it is asked for as is refused', async () => {
  const chunk = await only(`SELECT 1::BIGINT AS big, [1]::INTEGER[] AS list`);
  expect(() => chunk.integers(0)).toThrow('unexpected column big of type BIGINT');
  expect(() => chunk.text(0, 0)).toThrow('unexpected column big');
  expect(() => chunk.lists(1)).toThrow('unexpected column list of type INTEGER');
});
