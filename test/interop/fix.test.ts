import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyPlan, planFixes } from '#fixes';
import { cleanVariants } from '../lerobot-modes/clean/index.ts';
import { fixedModes } from '../lerobot-modes/fixed-modes.ts';
import { modes } from '../lerobot-modes/modes/index.ts';
import { askLoader, sayServed } from '../lerobot-modes/oracle.ts';
import { type PlannedSet, planClean, planModes, Studios } from '../lerobot-modes/plan.ts';
import { writeSet } from '../lerobot-modes/write-set.ts';
import { type Version, versions } from '../lerobot-modes/written-set.ts';

const loader = process.env.ASSAY_LEROBOT_PYTHON;
const robovet = process.env.ASSAY_ROBOVET_PYTHON;
const doctor = process.env.ASSAY_PEERS_PYTHON;
const unless = (present: unknown, name: string) => (present ? '' : ` (skipped: set ${name})`);

const scratch = await mkdtemp(join(tmpdir(), 'assay-fix-interop-'));
const planned = new Map<Version, PlannedSet[]>();

async function fixedSets(version: Version): Promise<PlannedSet[]> {
  const studios = new Studios();
  const sets: PlannedSet[] = [];
  for (const { mode, options } of fixedModes) {
    const own = modes.find(({ id }) => id === mode)!;
    const plan = own.versions.includes(version) ? planModes(mode, [own], version, 1, studios) : null;
    if (plan === null) continue;
    const folder = join(scratch, version, mode);
    await writeSet(plan.set, folder);
    await applyPlan(
      await planFixes({ root: folder, only: null }, { stamps: false, video: false, ...options }),
      '2026-01-01T00:00:00Z',
    );
    plan.set.data = plan.set.data.filter(({ path }) => existsSync(join(folder, path)));
    sets.push(plan);
  }
  const base = planClean(cleanVariants.find(({ id }) => id === 'base')!, version, 1, studios);
  await writeSet(base.set, join(scratch, version, base.id));
  return [...sets, base];
}

/** What a peer says of each folder, in the words of its own JSON. */
function askPeer(python: string, peer: string, folders: readonly string[]): ReadonlyMap<string, unknown> {
  const script = join(import.meta.dirname, 'doctor_sets.py');
  const { stdout, stderr } = spawnSync(python, [script, peer, ...folders], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (stdout === '') throw new Error(`${peer} said nothing: ${stderr}`);
  return new Map(Object.entries(JSON.parse(stdout)));
}

type Says = (folders: readonly string[]) => ReadonlyMap<string, readonly string[]>;

const mapped = <T>(said: ReadonlyMap<string, unknown>, lines: (one: T) => readonly string[]) =>
  new Map([...said].map(([folder, one]) => [folder, lines(one as T)] as const));

/** Rules that warn or fail. */
const robovetSays: Says = (folders) =>
  mapped<{ results: { check_id: string; severity: string; summary: string }[] }>(
    askPeer(robovet!, 'robovet', folders),
    ({ results }) =>
      results.flatMap(({ check_id, severity, summary }) =>
        severity === 'WARN' || severity === 'FAIL' ? [`${check_id} ${summary}`] : [],
      ),
  );

const doctorSays: Says = (folders) =>
  mapped<{ checks: { name: string; messages: { severity: string; message: string }[] }[] }>(
    askPeer(doctor!, 'lerobot-doctor', folders),
    ({ checks }) =>
      checks.flatMap(({ name, messages }) =>
        messages.flatMap(({ severity, message }) => (severity === 'PASS' ? [] : [`${name}: ${message}`])),
      ),
  );

/** What is said of fixed sets and not of a set that was never spoiled. */
function saidMore(version: Version, says: Says): Record<string, string[]> {
  const folderOf = (id: string) => join(scratch, version, id);
  const ids = planned.get(version)!.map(({ id }) => id);
  const said = says(['clean-base', ...ids].map(folderOf));
  const usual = new Set(said.get(folderOf('clean-base'))!.map(withoutNumbers));
  const more = ids.map((id): [string, string[]] => [
    id,
    said.get(folderOf(id))!.filter((one) => !usual.has(withoutNumbers(one))),
  ]);
  return Object.fromEntries(more.filter(([, lines]) => lines.length > 0));
}

function withoutNumbers(text: string): string {
  return text.replace(/[\d.]+/g, '0');
}

describe.skipIf(!(loader || robovet || doctor))('sets that assay fix has mended', () => {
  beforeAll(async () => {
    for (const version of versions) planned.set(version, await fixedSets(version));
  }, 900_000);
  afterAll(() => rm(scratch, { recursive: true, force: true }));

  it.skipIf(!loader).each(versions)(
    `are opened by LeRobot, which serves every row rightly, %s${unless(loader, 'ASSAY_LEROBOT_PYTHON')}`,
    { timeout: 900_000 },
    async (version) => {
      const served = await askLoader(loader!, join(scratch, version), planned.get(version)!);
      const wrong = [...served].flatMap(([id, one]) => {
        const said = sayServed(one);
        return said === 'loads right' ? [] : [`${id}: ${said}`];
      });
      expect(wrong).toEqual([]);
      expect(served.size).toBe(planned.get(version)!.length);
    },
  );

  it.skipIf(!robovet).each(versions)(
    `are no worse than sound ones to robovet, %s${unless(robovet, 'ASSAY_ROBOVET_PYTHON')}`,
    { timeout: 900_000 },
    (version) => expect(saidMore(version, robovetSays)).toEqual({}),
  );

  it.skipIf(!doctor).each(versions)(
    `are no worse than sound ones to lerobot-doctor, %s${unless(doctor, 'ASSAY_PEERS_PYTHON')}`,
    { timeout: 900_000 },
    (version) => expect(saidMore(version, doctorSays)).toEqual({}),
  );
});
