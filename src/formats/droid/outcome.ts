import type { Finding, Outcome } from '#core/episode';
import { unknownOutcome } from '#core/episode';

/** What speaks of success. */
export interface OutcomeSources {
  /** Of metadata or, without it, of the trajectory. */
  readonly said: boolean | null;
  readonly said_in: string;
  /** Path of the episode below its lab; recordings start below failure/ and are moved on success. */
  readonly path: string;
}

/** Success as it is said; where the folder says otherwise, nobody knows, and that is a finding. */
export function outcomeOf({ said, said_in, path }: OutcomeSources): {
  outcome: Outcome;
  findings: Finding[];
} {
  const folder = /(?:^|\/)(success|failure)\//.exec(path)?.[1] ?? null;
  const value = said === null ? null : said ? 'success' : 'failure';
  if (value !== null && folder !== null && value !== folder) {
    const message = `${said_in} says ${value}, and the episode lies below ${folder}/`;
    const outcome: Outcome = { value: 'unknown', evidence: 'unknown', reason: message };
    const advice = 'look at the end of its video, and correct the one that is wrong';
    return {
      outcome,
      findings: [{ ...{ code: 'outcome_contradicts', severity: 'warning', path: said_in }, message, advice }],
    };
  }
  if (value !== null) {
    return { outcome: { value, evidence: 'declared', reason: `success in ${said_in}` }, findings: [] };
  }
  if (folder === 'success' || folder === 'failure') {
    const reason = `it lies below ${folder}/, where DROID puts such recordings`;
    return { outcome: { value: folder, evidence: 'known_format', reason }, findings: [] };
  }
  return { outcome: unknownOutcome, findings: [] };
}
