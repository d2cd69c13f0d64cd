import { assess } from '#engine/local';
import type { LoadVerdict } from '#formats/rules';
import type { Severity } from './mode.ts';
import type { Expected, PlannedSet } from './plan.ts';

/** One thing that Assay says of an episode or, where `episode` is null, of the set. */
export interface Said {
  readonly episode: number | null;
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
}

/** Result of Assay for one dataset. */
export interface Told {
  readonly said: readonly Said[];
  /** Decisions by episode. */
  readonly decisions: Readonly<Record<number, string>>;
  /** Assay's answer whether LeRobot loads the dataset, with the violated rules; `null` if there is no answer. */
  readonly loads: LoadVerdict | null;
}

const rank: readonly Severity[] = ['info', 'warning', 'error', 'blocking'];

export function atLeast(severity: Severity, least: Severity): boolean {
  return rank.indexOf(severity) >= rank.indexOf(least);
}

/** Assesses every set below `folder` in one go; by name of the set's folder. */
export async function assessSets(folder: string): Promise<ReadonlyMap<string, Told>> {
  const result = await assess(folder, { receipts: true, details: 1_000_000 });
  const told = new Map<string, ToldSoFar>();
  const entryOf = (name: string) => {
    const entry = told.get(name) ?? { said: [], decisions: {}, loads: null };
    told.set(name, entry);
    return entry;
  };
  for (const finding of result.findings) {
    const name = finding.path?.split('/')[0];
    if (name) entryOf(name).said.push(said(null, finding));
  }
  for (const { path, findings, loads } of result.datasets) {
    entryOf(path.split('/')[0]).loads = loads;
    for (const finding of findings) entryOf(path.split('/')[0]).said.push(said(null, finding));
  }
  let next = 0;
  for (const text of result.receipts()) {
    const receipt: ReceiptView = JSON.parse(text);
    const verdict = result.verdicts[next++];
    const entry = entryOf(result.datasets[verdict.dataset].path.split('/')[0]);
    entry.decisions[verdict.index] = verdict.decision;
    for (const one of [...receipt.flags, ...receipt.findings]) entry.said.push(said(verdict.index, one));
  }
  await result.close();
  return told;
}

interface ToldSoFar {
  readonly said: Said[];
  readonly decisions: Record<number, string>;
  loads: LoadVerdict | null;
}

interface Saying {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
}

interface ReceiptView {
  readonly flags: readonly Saying[];
  readonly findings: readonly Saying[];
}

function said(episode: number | null, { code, severity, message }: Saying): Said {
  return { episode, code, severity, message };
}

/** Verdict on how Assay reports one planted mode. */
export interface Judged extends Expected {
  readonly set_id: string;
  readonly named: boolean;
  /** Named, and as severely as it should be. */
  readonly severe: boolean;
  /** Messages that name the mode. */
  readonly by: readonly Said[];
}

export function judge({ id, expected }: PlannedSet, told: Told): Judged[] {
  return expected.map((one) => {
    const right = told.said.filter(({ code }) => one.codes.includes(code));
    const ofSet = right.filter(({ episode }) => episode === null);
    const byEpisode = episodesOf(one, told).map((e) => right.filter(({ episode }) => episode === e));
    const everyEpisode = byEpisode.length > 0 && byEpisode.every((list) => list.length > 0);
    const named = (one.set && ofSet.length > 0) || everyEpisode;
    const severeIn = (list: readonly Said[]) => list.some(({ severity }) => atLeast(severity, one.least));
    const severe = named && ((one.set && severeIn(ofSet)) || (everyEpisode && byEpisode.every(severeIn)));
    return { ...one, set_id: id, named, severe, by: [...(one.set ? ofSet : []), ...byEpisode.flat()] };
  });
}

/** A mode of the set is also named where every episode says it. */
function episodesOf({ episodes }: Expected, { decisions }: Told): number[] {
  return episodes.length > 0 ? [...episodes] : Object.keys(decisions).map(Number);
}
