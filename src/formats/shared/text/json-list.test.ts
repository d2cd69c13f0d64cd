import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#core';
import { openSourceTree } from '#io/sources';
import { readJsonList, readJsonMembers } from './json-list.ts';

const top = mkdtempSync(join(tmpdir(), 'assay-json-list-'));
afterAll(() => rmSync(top, { recursive: true }));

let made = 0;
async function read(text: string) {
  const path = `list${made++}.json`;
  writeFileSync(join(top, path), text);
  const records: JsonObject[] = [];
  const bytesOf = Buffer.from(text);
  const places: string[] = [];
  const result = await readJsonList(await openSourceTree(top), path, (record, { offset, bytes }) => {
    records.push(record);
    places.push(bytesOf.toString('utf8', offset, offset + bytes));
  });
  return { ...result, read: records, places };
}

describe('a JSON list', () => {
  it('gives its objects and where each lies, whatever stands in their strings', async () => {
    const objects = [{ a: '}]{"' }, { b: [{ c: 1 }, []], d: 'ä\\' }, {}];
    const text = JSON.stringify(objects, null, 2);
    const list = await read(`\ufeff${text}\n`);
    expect(list).toMatchObject({ records: 3, broken: 0, shape: 'whole', read: objects });
    expect(list.places.map((place) => JSON.parse(place))).toEqual(objects);
  });

  it('larger than a block loses nothing where blocks meet', async () => {
    const objects = Array.from({ length: 40_000 }, (_, i) => ({ token: `${i}`.padStart(32, '0'), n: i }));
    const list = await read(JSON.stringify(objects));
    expect(list.read).toHaveLength(40_000);
    expect(list.read[39_999]).toEqual(objects[39_999]);
    expect(list.places[23_456]).toBe(JSON.stringify(objects[23_456]));
  });

  it.each([
    ['[{"a": 1}, {"a": 2', { records: 1, shape: 'cut' }],
    ['[{"a": 1}, {"a" 2}]', { records: 2, broken: 1, shape: 'whole' }],
    ['[1, 2, "x"]', { records: 0, shape: 'whole' }],
    ['{"a": [{"b": 1}]}', { records: 0, shape: 'other' }],
    ['', { records: 0, shape: 'other' }],
    ['[{"a": NaN}]', { records: 1, broken: 0, read: [{ a: null }] }],
    [`[${'{"a":'.repeat(50_000)}`, { records: 0, shape: 'cut' }],
    [`[{"a": "${'x'.repeat(5_000_000)}"}, {"b": 1}]`, { records: 2, broken: 1, read: [{ b: 1 }] }],
  ])('of %.30s is answered for', async (text, said) => {
    expect(await read(text)).toMatchObject(said);
  });
});

describe('a JSON object of objects', () => {
  async function members(text: string, isWanted = (_: string) => true) {
    const path = `members${made++}.json`;
    writeFileSync(join(top, path), text);
    const found: [string, JsonObject][] = [];
    const tree = await openSourceTree(top);
    const options = { within: 'videos', isWanted };
    const result = await readJsonMembers(tree, path, options, (key, record) => found.push([key, record]));
    return { ...result, found };
  }

  const a = { list: [{ text: 'a: "b" {' }], n: 1 };

  it.each([
    ['at the top', { a, 'b"ä': {} }],
    ['within one of its members', { version: '1', videos: { a, 'b"ä': {} }, date: {} }],
  ])('gives its members %s by their keys', async (_, value) => {
    const { found } = await members(JSON.stringify(value, null, 1));
    expect(found.slice(0, 2).map(([, record]) => record)).toEqual([a, {}]);
    expect(found[0][0]).toBe('a');
  });

  it('parses only what is wanted', async () => {
    const text = `{"a": {"x": 1}, "b": {broken}, "c": {"x": 2}}`;
    expect(await members(text, (key) => key !== 'b')).toMatchObject({
      records: 3,
      broken: 0,
      found: [
        ['a', { x: 1 }],
        ['c', { x: 2 }],
      ],
    });
  });

  it.each([
    ['{"a": {"x": 1}, "b": {"x"', { records: 1, shape: 'cut' }],
    ['[{"a": 1}]', { records: 0, shape: 'other' }],
    ['{"a": 1, "b": [{"c": {}}], "d": {}}', { records: 1, shape: 'whole', found: [['d', {}]] }],
  ])('of %s is answered for', async (text, said) => {
    expect(await members(text)).toMatchObject(said);
  });
});
