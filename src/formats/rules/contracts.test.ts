import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Finding } from '#core/episode';
import { plantedFormats } from '#test/support/plants/index';
import { type Plant, type PlantedFormat, writePlant } from '#test/support/plants/plant';
import { readEverything } from '#test/support/read-dataset';
import type { DatasetFacts } from '../shared/reader.ts';
import { createRuleFinding, readerFor } from '../shared/rule.ts';
import { computeLoadVerdict, type LoadVerdict } from './loaders.ts';
import { contracts } from './registry.ts';

const top = mkdtempSync(join(tmpdir(), 'assay-contracts-'));
afterAll(() => rmSync(top, { recursive: true }));
let made = 0;

interface Found {
  readonly set: Finding[];
  readonly episodes: Finding[][];
  readonly verdict: LoadVerdict | null;
  readonly facts: DatasetFacts;
}

/** Findings of the datasets, and those of each episode, of what could not be read too. */
async function findingsOf(files: Plant['files']): Promise<Found> {
  const folder = join(top, `${made++}`);
  await writePlant(folder, files);
  const { sets } = await readEverything(folder, { hashes: false });
  const episodes: Finding[][] = [];
  for (const { episodes: read, unreadable } of sets) {
    for (const { index, findings } of read) episodes[index] = [...findings];
    for (const { index, finding } of unreadable) episodes[index] = [finding];
  }
  const set = sets.flatMap(({ findings }) => findings);
  const codes = new Set([...set, ...episodes.flat()].map(({ code }) => code));
  const [{ facts }] = sets;
  const verdict = computeLoadVerdict(
    facts,
    [...codes].map((code) => ({ code, episodes: null })),
  );
  return { set, episodes, verdict, facts };
}

const contractOf = ({ title }: PlantedFormat) => contracts.find((one) => one.title === title)!;
const severitiesOf = (rule: (typeof contracts)[number]['rules'][number]) =>
  Object.values(rule.consequences).map(({ severity }) => severity);

describe.each(plantedFormats)('the contract of $title', (format) => {
  const contract = contractOf(format);
  const ids = new Set(contract.rules.map(({ id }) => id));
  const said = (findings: readonly Finding[]) =>
    findings.filter(({ code, severity }) => ids.has(code) && severity !== 'info').map(({ code }) => code);

  it('has nothing against a sound recording', async () => {
    const { set, episodes, verdict } = await findingsOf(format.sound);
    expect(verdict).toMatchObject({ loads: 'yes', why: [] });
    expect(episodes.length).toBeGreaterThan(0);
    expect(said([...set, ...episodes.flat()])).toEqual([]);
  });

  it.each(format.plants)('$rule is said of whom it concerns, and of nobody else', async (plant) => {
    const rule = contract.rules.find(({ id }) => id === plant.rule)!;
    expect(rule.on).toBe(plant.episode === null ? 'dataset' : 'episode');
    const { set, episodes, verdict, facts } = await findingsOf(plant.files);
    const has = (findings: readonly Finding[]) => findings.some(({ code }) => code === plant.rule);
    expect(has(set)).toBe(plant.episode === null);
    expect(episodes.flatMap((findings, i) => (has(findings) ? [i] : []))).toEqual(
      plant.episode === null ? [] : [plant.episode],
    );
    const [finding] = [...set, ...episodes.flat()].filter(({ code }) => code === plant.rule);
    expect(severitiesOf(rule)).toContain(finding.severity);
    expect(finding.advice).toBe(rule.advice);
    const breach = rule.consequences[readerFor(contract, facts)];
    const isKept = breach !== undefined && breach.reader !== 'loads';
    expect(verdict!.why.map((one) => one.rule).includes(plant.rule)).toBe(isKept);
    if (isKept) expect(verdict!.loads).toBe('no');
  });

  it('has a planted recording for every rule', () => {
    const planted = new Set(format.plants.map(({ rule }) => rule));
    expect([...ids].filter((id) => !planted.has(id))).toEqual([]);
    expect([...planted].filter((id) => !ids.has(id))).toEqual([]);
  });
});

describe('the contracts of all formats', () => {
  const rules = contracts.flatMap((contract) => contract.rules);

  it('declare each rule once, for readers that they name', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    for (const { readers, rules: own } of contracts) {
      const named = readers.map(({ id }) => id);
      for (const { id, consequences: breach } of own) {
        expect(Object.keys(breach).length, id).toBeGreaterThan(0);
        expect(named, id).toEqual(expect.arrayContaining(Object.keys(breach)));
      }
    }
  });

  it('give the first reader named where a finding is of none', () => {
    const [rule] = rules;
    const finding = createRuleFinding(rule, 'nobody', null, 'it is so');
    expect(finding).toMatchObject({ code: rule.id, severity: severitiesOf(rule)[0] });
  });
});
