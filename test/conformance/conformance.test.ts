import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type JsonValue } from '#kernel';
import { summaryOf } from '../support/episode-summary.ts';
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
    const { sets } = await readEverything(join(place, 'input'));
    expect(sets.map((set) => set.format)).toContain(format);
    const answer: unknown = JSON.parse(canonicalJson(sets.map(summaryOf) as JsonValue));
    const file = join(place, 'expected.json');
    if (rewrite) await writeFile(file, `${JSON.stringify(answer, null, 2)}\n`);
    expect(answer).toEqual(JSON.parse(await readFile(file, 'utf8')));
  });
});

function foldersIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
