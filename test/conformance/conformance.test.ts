import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RecordingsSource } from '#formats';
import { canonicalJson, type JsonValue } from '#kernel';
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
    const answer = await answerTo(join(place, 'input'));
    expect(answer).toContainEqual(expect.objectContaining({ format }));
    const file = join(place, 'expected.json');
    if (rewrite) await writeFile(file, `${JSON.stringify(answer, null, 2)}\n`);
    expect(answer).toEqual(JSON.parse(await readFile(file, 'utf8')));
  });

  it.each(cases)('%s: %s is read alike from a store', async (format, name) => {
    const input = join(import.meta.dirname, format, name, 'input');
    expect(await answerTo(folderStore(input))).toEqual(await answerTo(input));
  });
});

async function answerTo(recordings: RecordingsSource): Promise<unknown> {
  const { sets } = await readEverything(recordings);
  return JSON.parse(canonicalJson(sets.map(summaryOf) as JsonValue));
}

function foldersIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
