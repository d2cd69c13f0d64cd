import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { kinds } from '#core/episode';
import { checkTitles, flagTitles } from '#core/titles';
import { formulaText } from './check.ts';
import { checks } from './check-registry.ts';
import { comparisons } from './comparison-registry.ts';
import { engine } from './receipt.ts';

const filesIn = (folder: string) =>
  readdirSync(new URL(folder, import.meta.url))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => name.slice(0, -3).replaceAll('-', '_'))
    .sort();

describe('the check registry', () => {
  it('has a row for every file and a file for every row', () => {
    expect([...checks.ids].sort()).toEqual(filesIn('./checks/'));
  });

  it.each(checks.rows.map((check) => [check.id, check] as const))('says everything about %s', (_, check) => {
    for (const text of [
      check.title,
      check.needs,
      formulaText(check.formula),
      check.threshold.source,
      check.calibrated_on,
    ])
      expect(text.length).toBeGreaterThan(2);
    expect(check.threshold.value).toBeGreaterThan(0);
    expect(check.threshold.value).toBeLessThanOrEqual(1);
    expect(check.weight).toBeGreaterThan(0);
    expect(check.kinds.every((kind) => kinds.includes(kind))).toBe(true);
    expect(check.flags.length).toBeGreaterThan(0);
    for (const flag of check.flags) expect(flag.meaning.length * flag.advice.length).toBeGreaterThan(0);
  });

  it('gives every flag to one check', () => {
    const codes = checks.rows.flatMap((check) => check.flags.map((flag) => flag.code));
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('has a title for every check and flag, and no other', () => {
    expect(Object.keys(checkTitles).sort()).toEqual([...checks.ids].sort());
    const codes = checks.rows.flatMap((check) => check.flags.map((flag) => flag.code));
    expect(Object.keys(flagTitles).sort()).toEqual(codes.sort());
  });
});

describe('the comparison registry', () => {
  it('has a row for every file and a file for every row', () => {
    expect([...comparisons.ids].sort()).toEqual(filesIn('./comparisons/'));
  });

  it.each(comparisons.rows.map((row) => [row.id, row] as const))('says what %s is about', (_, row) => {
    expect(row.title.length * row.about.length).toBeGreaterThan(0);
    for (const id of row.judged_by) expect(checks.ids).toContain(id);
  });
});

describe('the engine', () => {
  it('is of the package’s version', () => {
    const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(engine).toEqual({ name: manifest.name, version: manifest.version });
  });
});
