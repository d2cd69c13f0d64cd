import type { JsonObject } from '#core';
import type { Finding, Severity } from '#core/episode';

/**
 * Effect of a rule violation on the format's canonical reader. `refuses_set`: it does not open the set. `refuses_rows`:
 * it opens the set and fails at some rows. `serves_wrong_rows`: it returns wrong rows or pictures without an error.
 * `loads`: it reads everything correctly; the harm comes later (training, viewers, edits).
 */
export type ReaderOutcome = 'refuses_set' | 'refuses_rows' | 'serves_wrong_rows' | 'loads';

/** Effect and severity of a rule violation for one canonical reader. */
export interface Consequence {
  readonly reader: ReaderOutcome;
  readonly severity: Severity;
}

/** The reader does not open the set. */
export const refusesSet: Consequence = { reader: 'refuses_set', severity: 'blocking' };
/** The reader fails at some rows. */
export const refusesRows: Consequence = { reader: 'refuses_rows', severity: 'blocking' };
/** The reader returns wrong rows without an error. */
export const servesWrongRows: Consequence = { reader: 'serves_wrong_rows', severity: 'blocking' };
/** Training gives wrong results. */
export const trainsWrong: Consequence = { reader: 'loads', severity: 'error' };
/** Training quality suffers. */
export const trainsWorse: Consequence = { reader: 'loads', severity: 'warning' };
/** Only visible in viewers or when editing the set. */
export const showsWrong: Consequence = { reader: 'loads', severity: 'info' };

/** A rule of a format: exact, without tolerances that the canonical reader does not have. */
export interface ContractRule {
  /** Finding code, or flag code if a check reports it. */
  readonly id: string;
  /** Requirement that a valid recording meets. */
  readonly holds: string;
  /** Scope of the finding of a violation. */
  readonly on: 'dataset' | 'episode';
  /** True if `assay fix` can correct a violation; some only if the data needed is there. */
  readonly fix?: true;
  /** Effect of a violation by reader id; a reader that is not listed does not have this rule. */
  readonly consequences: Readonly<Record<string, Consequence>>;
  /** Recommended action. */
  readonly advice: string;
  /** Equivalent rules of other tools, such as `robovet TIME-202` or `doctor Temporal`. */
  readonly peers?: readonly string[];
}

/** Facts of a dataset that decide which reader loads it. */
export interface ReaderFacts {
  readonly version: string | null;
  /** Id of a reader whose own metadata the dataset contains, such as `gr00t` for `meta/modality.json`. */
  readonly prepared_for?: string | undefined;
}

/** A loader of a format whose rules are known. */
export interface Reader {
  /** Short id, such as `lerobot-0.3`; the values of `assay assess --loader`. */
  readonly id: string;
  /** Display name, such as `LeRobot v2.1`. */
  readonly title: string;
  /** Release whose source or run the rules are from. */
  readonly release: string;
  /** File that shows that a dataset is prepared for this reader; absent for the format's own readers. */
  readonly marker?: string;
  /** Returns the rule that a dataset violates by its facts alone, and how; `null` if it violates none. */
  readonly refuses?: (facts: ReaderFacts) => { readonly rule: string; readonly message: string } | null;
}

/** Requirements of the readers of one format. */
export interface Contract {
  readonly format: string;
  /** Display name, such as `LeRobot datasets`. */
  readonly title: string;
  /** Format versions that the contract applies to; absent for all versions. */
  readonly versions?: readonly string[];
  /** At least one. */
  readonly readers: readonly Reader[];
  readonly rules: readonly ContractRule[];
  /** Returns the id of the reader for a dataset; if absent, the first reader is used for all datasets. */
  readonly readerOf?: (facts: ReaderFacts) => string;
}

/**
 * Returns the id of the reader that a dataset is checked against by default: the contract's choice for these facts,
 * else its first reader.
 */
export function readerFor({ readers, readerOf }: Contract, facts: ReaderFacts): string {
  return readerOf === undefined ? readers[0].id : readerOf(facts);
}

/**
 * Creates the finding of a rule violation, with the rule's severity for `reader` (or that of its first reader) and its
 * advice.
 */
export function createRuleFinding(
  rule: ContractRule,
  reader: string,
  path: string | null,
  message: string,
  evidence?: JsonObject,
): Finding {
  const severity = (rule.consequences[reader] ?? Object.values(rule.consequences)[0]).severity;
  const finding: Finding = { code: rule.id, severity, path, message, advice: rule.advice };
  return evidence === undefined ? finding : { ...finding, evidence };
}

/**
 * Returns a function that creates findings of one reader's rules by rule id; an unknown id is a type error, and throws
 * TypeError.
 */
export function ruleFindings<Rule extends ContractRule>(rules: readonly Rule[], reader: string) {
  const byId: ReadonlyMap<string, ContractRule> = new Map(rules.map((rule) => [rule.id, rule]));
  return (id: Rule['id'], path: string | null, message: string, evidence?: JsonObject): Finding =>
    createRuleFinding(byId.get(id)!, reader, path, message, evidence);
}
