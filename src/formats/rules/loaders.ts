import { listText } from '#core';
import type { Finding, Severity } from '#core/episode';
import type { DatasetFacts } from '../shared/reader.ts';
import {
  type Contract,
  createRuleFinding,
  type Reader,
  type ReaderOutcome,
  readerFor,
} from '../shared/rule.ts';
import { contracts } from './registry.ts';

/** Loaders that can be chosen, with their titles. */
export const loaders: readonly { readonly id: string; readonly title: string }[] = contracts.flatMap(
  ({ readers }) => readers.map(({ id, title }) => ({ id, title })),
);

/** Returns those of `ids` that are the id of no loader. */
export const listUnknownLoaders = (ids: readonly string[]): string[] =>
  ids.filter((id) => !loaders.some((loader) => loader.id === id));

/** Returns the ids and titles of all loaders as one text: `lerobot-0.4 (LeRobot v3.0), …`. */
export const describeLoaders = (): string =>
  loaders.map(({ id, title }) => (id === title ? id : `${id} (${title})`)).join(', ');

/** Reason for the choice of a loader: the format and version, a file of the dataset, or the user's request. */
type LoaderChoice = 'default' | 'detected' | 'requested';

/** Facts that the choice of a loader depends on. */
type LoaderFacts = Pick<DatasetFacts, 'format' | 'version' | 'prepared_for'>;

/** The loaders that a dataset is judged by. */
interface ChosenLoaders {
  readonly contract: Contract;
  /** At least one. */
  readonly readers: readonly Reader[];
  readonly choice: LoaderChoice;
}

/**
 * Chooses the loaders that a dataset is judged by: those of `requested` (ids) that read its format, or else the one that
 * its files are prepared for, or else the format's own of its version. `null` if no loader's rules are known.
 */
function chooseLoaders(facts: LoaderFacts, requested: readonly string[]): ChosenLoaders | null {
  const contract = contracts.find(
    ({ format, versions }) =>
      format === facts.format && (versions === undefined || versions.some((one) => one === facts.version)),
  );
  if (contract === undefined) return null;
  const wanted = contract.readers.filter(({ id }) => requested.includes(id));
  if (wanted.length > 0) return { contract, readers: wanted, choice: 'requested' };
  const id = readerFor(contract, facts);
  const isDetected = id !== readerFor(contract, { version: facts.version });
  const readers = contract.readers.filter((reader) => reader.id === id);
  return { contract, readers, choice: isDetected ? 'detected' : 'default' };
}

/** Answer of loaders: `yes` if they open a dataset and return every row correctly. */
interface LoadAnswer {
  /** Titles of the loaders, such as `LeRobot v3.0`. */
  readonly reader: string;
  readonly loads: 'yes' | 'no';
  /** Violated rules that prevent it, worst first; empty if it loads. */
  readonly why: {
    readonly rule: string;
    readonly does: ReaderOutcome;
    readonly episodes: number | null;
    /** True if `assay fix` can correct it. */
    readonly fix: boolean;
  }[];
}

/** Verdict whether the chosen loaders load a dataset; with several, whether all of them do. */
export interface LoadVerdict extends LoadAnswer {
  /** Ids of the chosen loaders, such as `lerobot-0.4`. */
  readonly loaders: string[];
  readonly choice: LoaderChoice;
  /** File that led to a detected loader, such as `meta/modality.json`; else `null`. */
  readonly marker: string | null;
  /** Answers of the format's other loaders, for information: they do not affect the verdict. */
  readonly others: (LoadAnswer & { readonly loader: string })[];
}

/** A rule violation; `episodes`: number of episodes concerned, `null` if the dataset as a whole is. */
export interface RuleViolation {
  readonly code: string;
  readonly episodes: number | null;
}

/**
 * Returns whether the chosen loaders load a dataset with these findings and flags; `null` if no loader's rules are
 * known for its format. `requested`: ids of the loaders that the user asks for; if none is of this format, its default
 * loader answers.
 */
export function computeLoadVerdict(
  facts: LoaderFacts,
  violations: readonly RuleViolation[],
  requested: readonly string[] = [],
): LoadVerdict | null {
  const chosen = chooseLoaders(facts, requested);
  if (chosen === null) return null;
  const { contract, readers, choice } = chosen;
  const answer = (own: readonly Reader[]) => applyContract(contract, own, facts, violations);
  return {
    ...answer(readers),
    loaders: readers.map(({ id }) => id),
    choice,
    marker: choice === 'detected' ? (readers[0].marker ?? null) : null,
    others: contract.readers
      .filter((reader) => !readers.includes(reader))
      .map((reader) => ({ loader: reader.id, ...answer([reader]) })),
  };
}

const rank: Record<ReaderOutcome, number> = {
  refuses_set: 0,
  refuses_rows: 1,
  serves_wrong_rows: 2,
  loads: 3,
};

/** Applies a contract to the violations of a dataset; codes that are no rules of `readers` are ignored. */
function applyContract(
  contract: Contract,
  readers: readonly Reader[],
  facts: LoaderFacts,
  found: readonly RuleViolation[],
): LoadAnswer {
  const rules = new Map(contract.rules.map((rule) => [rule.id, rule]));
  const refusals = readers.flatMap(({ refuses }) => refuses?.(facts) ?? []);
  const all = [...refusals.map(({ rule }) => ({ code: rule, episodes: null })), ...found];
  const why = all.flatMap(({ code, episodes }) => {
    const rule = rules.get(code);
    const does = readers.flatMap(({ id }) => rule?.consequences[id]?.reader ?? []);
    const worst = does.sort((a, b) => rank[a] - rank[b]).at(0);
    if (worst === undefined || worst === 'loads') return [];
    return [{ rule: code, does: worst, episodes, fix: rule?.fix === true }];
  });
  const unique = [...new Map(why.map((one) => [one.rule, one])).values()];
  const worst = unique.sort((a, b) => rank[a.does] - rank[b.does] || (a.rule < b.rule ? -1 : 1));
  const reader = listText(readers.map(({ title }) => title));
  return { reader, loads: worst.length === 0 ? 'yes' : 'no', why: worst };
}

/** Severities of findings and flags for the chosen loaders, by code; plain data. */
export type LoaderSeverities = Readonly<Record<string, Severity>>;

const severityOrder: readonly Severity[] = ['info', 'warning', 'error', 'blocking'];

/**
 * Returns the severity of each rule for the chosen loaders, the strictest of theirs (`info` if none has the rule);
 * `null` if the findings already have these severities, or if no loader's rules are known.
 */
export function loaderSeverities(
  facts: LoaderFacts,
  requested: readonly string[] = [],
): LoaderSeverities | null {
  const chosen = chooseLoaders(facts, requested);
  if (chosen === null) return null;
  const { contract, readers } = chosen;
  const own = readerFor(contract, { version: facts.version });
  if (facts.prepared_for === undefined && readers.length === 1 && readers[0].id === own) return null;
  const severities = contract.rules.map(({ id, consequences }): [string, Severity] => {
    const all = readers.map((reader) => severityOrder.indexOf(consequences[reader.id]?.severity ?? 'info'));
    return [id, severityOrder[Math.max(...all)]];
  });
  return Object.fromEntries(severities);
}

/** Returns the severities that the loaders of a format give to a violation of a rule; empty if the format has no such rule. */
export function listSeverities(format: string, code: string): Severity[] {
  return contracts.flatMap((contract) => {
    const rule = contract.format === format ? contract.rules.find(({ id }) => id === code) : undefined;
    return rule === undefined
      ? []
      : contract.readers.map(({ id }) => rule.consequences[id]?.severity ?? 'info');
  });
}

/** Returns the findings with the severities for the chosen loaders; findings of other codes are unchanged. */
export function applySeverities<Own extends Pick<Finding, 'code' | 'severity'>>(
  findings: readonly Own[],
  severities: LoaderSeverities | null,
): readonly Own[] {
  if (severities === null || !findings.some(({ code }) => code in severities)) return findings;
  return findings.map((finding) => ({ ...finding, severity: severities[finding.code] ?? finding.severity }));
}

/** Returns the findings of loaders that refuse a dataset by its facts alone, at most one for each chosen loader. */
export function listRefusals(facts: LoaderFacts, requested: readonly string[] = []): Finding[] {
  const chosen = chooseLoaders(facts, requested);
  if (chosen === null) return [];
  const { contract, readers } = chosen;
  return readers.flatMap((reader) => {
    const refusal = reader.refuses?.(facts) ?? null;
    const rule = contract.rules.find(({ id }) => id === refusal?.rule);
    return refusal === null || rule === undefined
      ? []
      : [createRuleFinding(rule, reader.id, reader.marker ?? null, refusal.message)];
  });
}
