import type { JsonObject } from '#core';
import type { Finding, Severity } from '#core/episode';

/**
 * What a format's canonical reader does with a recording that breaks a rule. `refuses_set`: it opens nothing.
 * `refuses_rows`: it opens the set and fails at some rows. `serves_wrong_rows`: it gives, without an error, rows or pictures
 * that belong elsewhere. `loads`: it reads everything rightly; the harm comes later (training, viewers, edits).
 */
export type ReaderDoes = 'refuses_set' | 'refuses_rows' | 'serves_wrong_rows' | 'loads';

/** What follows from breaking a rule, for one canonical reader. */
export interface Consequence {
  readonly reader: ReaderDoes;
  readonly severity: Severity;
}

export const refusesSet: Consequence = { reader: 'refuses_set', severity: 'blocking' };
export const refusesRows: Consequence = { reader: 'refuses_rows', severity: 'blocking' };
export const servesWrongRows: Consequence = { reader: 'serves_wrong_rows', severity: 'blocking' };
/** Training goes wrong with it. */
export const trainsWrong: Consequence = { reader: 'loads', severity: 'error' };
/** Training is worse for it. */
export const trainsWorse: Consequence = { reader: 'loads', severity: 'warning' };
/** Only viewers or people who edit the set notice. */
export const showsWrong: Consequence = { reader: 'loads', severity: 'info' };

/** One rule of a format: exact, without a tolerance that its canonical reader does not have. */
export interface ContractRule {
  /** Code of the finding, or of the flag where a check says it. */
  readonly id: string;
  /** What a sound recording fulfils. */
  readonly holds: string;
  /** What a breach is reported on. */
  readonly on: 'dataset' | 'episode';
  /** By canonical reader, as the contract names them; a reader that is left out has no such rule. */
  readonly breach: Readonly<Record<string, Consequence>>;
  /** What to do about it. */
  readonly advice: string;
  /** Rules of other tools that find the same: `robovet TIME-202`, `doctor Temporal`. */
  readonly peers?: readonly string[];
}

/** What the canonical readers of one format require of recordings. */
export interface Contract {
  readonly format: string;
  /** For people: `LeRobot datasets`. */
  readonly title: string;
  /** Only datasets of these versions are judged by it; absent: all of the format. */
  readonly versions?: readonly string[];
  /** `LeRobot v2.1`: name and format version, and the release whose source or run the rules are from. At least one. */
  readonly readers: readonly { readonly id: string; readonly release: string }[];
  readonly rules: readonly ContractRule[];
  /** The reader, by id, that a dataset of this version is judged by; absent: the first for all versions. */
  readonly readerOf?: (version: string | null) => string;
}

/** The reader, by id, that a dataset of this version is judged by. */
export function readerFor({ readers, readerOf }: Contract, version: string | null): string {
  return readerOf === undefined ? readers[0].id : readerOf(version);
}

/** The finding for a broken rule: severity and advice are the rule's. */
export function breachOf(
  rule: ContractRule,
  reader: string,
  path: string | null,
  message: string,
  evidence?: JsonObject,
): Finding {
  const severity = (rule.breach[reader] ?? Object.values(rule.breach)[0]).severity;
  const finding: Finding = { code: rule.id, severity, path, message, advice: rule.advice };
  return evidence === undefined ? finding : { ...finding, evidence };
}

/** Makes the findings of one canonical reader's rules; the type knows their ids. */
export function breachesFor<Rule extends ContractRule>(rules: readonly Rule[], reader: string) {
  const byId: ReadonlyMap<string, ContractRule> = new Map(rules.map((rule) => [rule.id, rule]));
  return (id: Rule['id'], path: string | null, message: string, evidence?: JsonObject): Finding =>
    breachOf(byId.get(id)!, reader, path, message, evidence);
}
