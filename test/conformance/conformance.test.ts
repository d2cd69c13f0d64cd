import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type JsonValue } from '#core';
import { discover, type ReadOptions } from '#formats';
import type { RecordingsSource } from '#io/sources';
import { summaryOf } from '../support/episode-summary.ts';
import { folderStore } from '../support/folder-store.ts';
import { readEverything } from '../support/read-dataset.ts';

/**
 * Every case `<format>/<case>/` holds an `input` and the `expected.json` that its reader must answer.
 * `ASSAY_WRITE_EXPECTED=1` writes what it answers today; look at the difference before committing it.
 */
const rewrite = process.env.ASSAY_WRITE_EXPECTED === '1';

const cases = foldersIn(import.meta.dirname).flatMap((format) =>
  foldersIn(join(import.meta.dirname, format))
    .filter((name) => existsSync(join(import.meta.dirname, format, name, 'input')))
    .map((name) => [format, name] as const),
);

describe('conformance', () => {
  it.each(cases)('%s: %s is read as expected', async (format, name) => {
    const place = join(import.meta.dirname, format, name);
    const answer = await answerOf(join(place, 'input'));
    expect(answer).toContainEqual(expect.objectContaining({ format }));
    const file = join(place, 'expected.json');
    if (rewrite) await writeFile(file, `${JSON.stringify(answer, null, 2)}\n`);
    expect(answer).toEqual(JSON.parse(await readFile(file, 'utf8')));
  });

  it.each(cases)('%s: %s is read alike from a store', async (format, name) => {
    const input = join(import.meta.dirname, format, name, 'input');
    expect(await answerTo(folderStore(input))).toEqual(await answerOf(input));
  });

  it.each(cases)('%s: %s is read alike where numbers may be written over', async (format, name) => {
    const input = join(import.meta.dirname, format, name, 'input');
    expect(await oneByOne(input, true)).toEqual(await oneByOne(input, false));
  });

  it.each(cases)('%s: %s is read alike when no hashes are wanted', async (format, name) => {
    const input = join(import.meta.dirname, format, name, 'input');
    const [without, whole] = [await answerTo(input, { hashes: false }), await answerOf(input)];
    expect(unhashed(without)).toEqual(unhashed(whole));
    expect(JSON.stringify(without)).not.toMatch(/"data [^"]* [0-9a-f]{16}"/);
  });
});

/** Reads episodes like callers with `reuse_arrays`, which finish one episode before they request the next. */
async function oneByOne(recordings: RecordingsSource, reuse_arrays: boolean): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const { dataset, recognition, path } of (await discover(recordings)).datasets) {
    const { facts } = dataset;
    const set = { ...recognition, path, findings: [], unreadable: [], declared_episodes: null, facts };
    for (const unit of dataset.units)
      for await (const item of dataset.read(unit, { reuse_arrays }))
        if (!('unreadable' in item)) answers.push(summaryOf({ ...set, episodes: [item] }));
    await dataset.close();
  }
  return answers;
}

const unhashed = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer).replace(
      /("(?:data|metadata|annotation) [^"]* )(?:[0-9a-f]{16}|not hashed)"/g,
      '$1"',
    ),
  );

async function answerTo(recordings: RecordingsSource, options: ReadOptions = {}): Promise<unknown> {
  const { sets } = await readEverything(recordings, options);
  return JSON.parse(canonicalJson(sets.map(summaryOf) as JsonValue));
}

const answers = new Map<string, Promise<unknown>>();
/** The answer to a folder, read once for all tests. */
function answerOf(input: string): Promise<unknown> {
  const answer = answers.get(input) ?? answerTo(input);
  answers.set(input, answer);
  return answer;
}

function foldersIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
