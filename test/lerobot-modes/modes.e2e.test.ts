import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyPlan, type FixPlan, planFixes, removeEmptyJournalFolder, undoLast } from '#formats/fix';
import { lerobotValidators, validatorReports, warningsAndFailures } from '../interop/lerobot-validators.ts';
import { runScript } from '../interop/python-worker.ts';
import { lerobotPython, onLeRobot, onPeers, peersPython } from '../support/peers.ts';
import { isNightly, rounds } from '../support/tiers.ts';
import { treeHash } from '../support/tree-hash.ts';
import { takesTurn, turn } from '../support/turn.ts';
import { cleanVariants } from './clean/index.ts';
import { type FixedMode, fixedModes } from './fixed-modes.ts';
import { assessSets, type Told } from './judge.ts';
import { modes } from './modes/index.ts';
import { askLoader, isRefused, oracleScript, type RunOracle, type Served, sayServed } from './oracle.ts';
import { type PlannedSet, planClean, planModes, Studios } from './plan.ts';
import { refusedModes } from './refused-modes.ts';
import { type Tried, trySets } from './run-modes.ts';
import { accusations } from './table.ts';
import { unfixedModes } from './unfixed-modes.ts';
import { type Version, versions } from './written-set.ts';

/** Valid sets whose tables differ; fixes do not look at what differs in pictures alone. */
const leftAlone = [
  'base',
  'float64',
  'extra_columns',
  'one_table_of_statistics',
  'last_file_of_one_episode',
  'several_texts',
  'names_as_object',
  'pooled_quantiles',
  'pictures_in_tables',
];

/** CI tries one of this many modes and variants, in one version; which one depends on the commit. */
const shares = 3;

/** Returns `true` if an entry is tried in this run: a share in CI, all at night; the clean control of the peers always. */
const isTried = ({ id }: { readonly id: string }, place: number): boolean =>
  id === 'base' || takesTurn(place, shares);

const triedModes = modes.filter(isTried);
const triedVariants = cleanVariants.filter(isTried);

/** Returns the entries to try in a version. In CI, an entry that exists in both is tried in one of them, in turn. */
function chosenFor<Entry extends { readonly id: string; readonly versions: readonly Version[] }>(
  version: Version,
  entries: readonly Entry[],
): Entry[] {
  let place = Math.floor(turn / shares);
  return entries.filter(({ id, versions: own }) => {
    if (isNightly || id === 'base' || own.length === 1) return own.includes(version);
    return own[place++ % own.length] === version;
  });
}

/** A set that was fixed, what would be fixed in it next, and what Assay says of it. */
interface FixedSet {
  readonly fixed: FixedMode;
  /** The planned set, with the data files that exist after the fix. */
  readonly planned: PlannedSet;
  readonly next: FixPlan;
  readonly told: Told;
}

interface Round {
  readonly spoiled: readonly Tried[];
  readonly clean: readonly Tried[];
  readonly fixed: readonly FixedSet[];
}

const scratch = await mkdtemp(join(tmpdir(), 'assay-lerobot-modes-'));
const found = new Map<Version, Round>();
/** Results of the real loader by the folder of the dataset below `scratch`; empty without LeRobot. */
let served: ReadonlyMap<string, Served> = new Map();
const pathOf = (version: Version, kind: 'sets' | 'fixed', id: string) => `${version}-${kind}/${id}`;

/** Fixes a written set, keeps the result in `result`, and undoes the fix. Returns what would be fixed next. */
async function fixAndUndo(folder: string, { mode, options }: FixedMode, result: string): Promise<FixPlan> {
  const before = treeHash(folder);
  const asked = { stamps: false, video: false, ...options };
  await applyPlan(await planFixes({ root: folder, file: null }, asked), '2026-01-01T00:00:00Z');
  expect(treeHash(folder), mode).not.toBe(before);
  const next = await planFixes({ root: folder, file: null }, asked);
  await cp(folder, result, { recursive: true });
  await undoLast(folder);
  await removeEmptyJournalFolder(folder);
  expect(treeHash(folder), mode).toBe(before);
  return next;
}

async function tryVersion(version: Version, studios: Studios): Promise<Round> {
  const planned = [
    ...chosenFor(version, triedModes).flatMap(
      (mode) => planModes(mode.id, [mode], version, 1, studios) ?? [],
    ),
    ...chosenFor(version, triedVariants).map((variant) => planClean(variant, version, 1, studios)),
  ];
  const sets = await trySets(join(scratch, `${version}-sets`), planned, undefined);
  const results = join(scratch, `${version}-fixed`);
  await mkdir(results);
  const fixing: Omit<FixedSet, 'told'>[] = [];
  for (const { planned: own } of sets) {
    const fixed = fixedModes.find(({ mode }) => mode === own.id);
    if (fixed === undefined) continue;
    const result = join(results, own.id);
    const next = await fixAndUndo(join(scratch, pathOf(version, 'sets', own.id)), fixed, result);
    const data = own.set.data.filter(({ path }) => existsSync(join(result, path)));
    fixing.push({ fixed, next, planned: { ...own, set: { ...own.set, data } } });
  }
  const told = await assessSets(results);
  return {
    spoiled: sets.filter(({ planned: { expected } }) => expected.length > 0),
    clean: sets.filter(({ planned: { expected } }) => expected.length === 0),
    fixed: fixing.map((one) => ({ ...one, told: told.get(one.planned.id)! })),
  };
}

/** Runs the oracle in the Pythons that have loaded LeRobot for other tests. */
const oracleInSharedPythons: RunOracle = async (plan, between) => {
  const [v21, v30] = await Promise.all([
    runScript('lerobot-v21', oracleScript, plan, between, 'v2.1'),
    runScript('lerobot', oracleScript, plan, between, 'v3.0'),
  ]);
  return `${v21}\n${v30}`;
};

/**
 * Asks LeRobot to load the fixed sets of all versions, at night also the spoiled and clean ones: these depend on no code of
 * Assay.
 */
async function askLeRobot(): Promise<ReadonlyMap<string, Served>> {
  const sets = [...found].flatMap(([version, { spoiled, clean, fixed }]) => [
    ...(isNightly ? [...spoiled, ...clean] : []).map(({ planned: { id, ...own } }) => ({
      ...own,
      id: pathOf(version, 'sets', id),
    })),
    ...fixed.map(({ planned: { id, ...own } }) => ({ ...own, id: pathOf(version, 'fixed', id) })),
  ]);
  const answers = await askLoader(oracleInSharedPythons, scratch, sets, rounds(2, 6));
  expect([...answers.keys()].toSorted()).toEqual(sets.map(({ id }) => id).toSorted());
  return answers;
}

/** True if `refusedModes` lists the set's mode for its version. */
const isListed = ({ id, set }: PlannedSet): boolean => refusedModes[id]?.includes(set.version) ?? false;

/** True if Assay says that a set loads exactly when LeRobot reads it rightly, and blocks it otherwise. */
function agrees({ said, loads }: Told, refused: boolean): boolean {
  if (loads === null) return false;
  const blocks = said.some(({ severity }) => severity === 'blocking');
  return refused ? loads.loads === 'no' && blocks : loads.loads === 'yes';
}

beforeAll(async () => {
  const studios = new Studios();
  for (const version of versions) found.set(version, await tryVersion(version, studios));
  if (lerobotPython !== undefined) served = await askLeRobot();
}, 1_800_000);
afterAll(() => rm(scratch, { recursive: true, force: true }));

it('every failure mode is fixed, or has a reason why not', () => {
  const listed = [...fixedModes.map(({ mode }) => mode), ...Object.keys(unfixedModes)];
  expect(listed.toSorted()).toEqual(modes.map(({ id }) => id).toSorted());
});

it(`every failure mode and clean variant whose turn it is was tried (ASSAY_TEST_TURN=${turn})`, () => {
  const tried = [...found.values()].flatMap(({ spoiled, clean }) => [...spoiled, ...clean]);
  const ids = [...triedModes.map(({ id }) => id), ...triedVariants.map(({ id }) => `clean-${id}`)];
  expect([...new Set(tried.map(({ planned }) => planned.id))].toSorted()).toEqual(ids.toSorted());
});

describe.each(versions)('a LeRobot %s set', (version) => {
  it('with one planted failure is flagged with its code', () => {
    const { spoiled } = found.get(version)!;
    const missed = spoiled.filter(({ judged }) => !judged.every(({ named }) => named));
    expect(missed.map(({ planned }) => planned.id)).toEqual([]);
  });

  it('that is valid gets no warning and is accepted', () => {
    for (const one of found.get(version)!.clean) {
      expect(accusations(one), one.planned.id).toEqual([]);
      expect(new Set(Object.values(one.told.decisions)), one.planned.id).toEqual(new Set(['accept']));
    }
  });

  it('is loadable by Assay’s verdict exactly if LeRobot loads it', () => {
    const { spoiled, clean } = found.get(version)!;
    const wrong = [...spoiled, ...clean].filter(({ planned, told }) => !agrees(told, isListed(planned)));
    expect(wrong.map(({ planned }) => planned.id)).toEqual([]);
  });

  if (isNightly) {
    it.skipIf(!lerobotPython)(onLeRobot('is refused by LeRobot exactly if its mode is listed'), () => {
      const { spoiled, clean } = found.get(version)!;
      const wrong = [...spoiled, ...clean].filter(
        ({ planned }) => isRefused(served.get(pathOf(version, 'sets', planned.id))!) !== isListed(planned),
      );
      expect(wrong.map(({ planned }) => planned.id)).toEqual([]);
    });
  }

  it('has no finding left once it is fixed', () => {
    const { fixed } = found.get(version)!;
    const remaining = fixed.map(({ fixed: { still = [] }, planned, told: { said, loads } }) => {
      const more: unknown[] = said.filter(
        ({ severity, code }) => severity !== 'info' && !still.includes(code),
      );
      return [planned.id, loads?.loads === 'yes' ? more : [...more, loads]] as const;
    });
    expect(remaining.filter(([, more]) => more.length > 0)).toEqual([]);
    for (const { next, planned } of fixed) expect(next.changes, planned.id).toEqual([]);
  });

  it.skipIf(!lerobotPython)(onLeRobot('is read rightly by LeRobot once it is fixed'), () => {
    const answers = found
      .get(version)!
      .fixed.map(({ planned: { id } }) => `${id}: ${sayServed(served.get(pathOf(version, 'fixed', id))!)}`);
    expect(answers.filter((answer) => !answer.endsWith(': loads right'))).toEqual([]);
  });

  it.skipIf(!peersPython).each(lerobotValidators)(
    onPeers('gets no more complaints of %s, once it is fixed, than a valid one'),
    { timeout: 900_000 },
    async (doctor) => {
      const base = join(scratch, pathOf(version, 'sets', 'clean-base'));
      const folders = found
        .get(version)!
        .fixed.map(({ planned }) => join(scratch, pathOf(version, 'fixed', planned.id)));
      const reports = await validatorReports(doctor, [base, ...folders]);
      const complaints = (folder: string) => warningsAndFailures(reports.get(folder)!);
      const usual = new Set(complaints(base).map(withoutNumbers));
      const more = folders.map((folder) => [
        folder,
        complaints(folder).filter((one) => !usual.has(withoutNumbers(one))),
      ]);
      expect(more.filter(([, lines]) => lines.length > 0)).toEqual([]);
    },
  );

  it('that is valid is not changed by a fix', async () => {
    const valid = found
      .get(version)!
      .clean.filter(({ planned }) => leftAlone.includes(planned.id.slice('clean-'.length)));
    for (const { planned } of valid) {
      const root = join(scratch, pathOf(version, 'sets', planned.id));
      const plan = await planFixes({ root, file: null }, { stamps: true, video: true });
      expect([plan.changes, plan.files, plan.unfixed], planned.id).toEqual([[], [], []]);
    }
  });
});

const withoutNumbers = (text: string): string => text.replace(/[\d.]+/g, '0');
