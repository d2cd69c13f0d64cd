import { number, plural, words } from './words.ts';

/** Of a check's outcome, what its row shows. */
export type CheckOutcome = { readonly id: string; readonly threshold: number; readonly weight: number } & (
  | {
      readonly status: 'scored';
      readonly score: number;
      readonly inputs: Readonly<Record<string, unknown>>;
    }
  | { readonly status: 'inapplicable' | 'not_assessable' | 'disabled'; readonly reason: string }
);

/** Checks that do not concern an episode, by why not. */
export interface IdleChecks {
  readonly reason: string;
  readonly ids: readonly string[];
}

/**
 * What is a row of the table of checks, and what is named below it: checks that do not concern the episode. Those that should
 * and could not be measured are rows.
 */
export function checkRows<Check extends CheckOutcome>(
  checks: readonly Check[],
): { readonly rows: readonly Check[]; readonly idle: readonly IdleChecks[] } {
  const rows: Check[] = [];
  const byReason = new Map<string, string[]>();
  for (const check of checks) {
    const outcome: CheckOutcome = check;
    if (outcome.status === 'inapplicable' || outcome.status === 'disabled')
      byReason.set(outcome.reason, [...(byReason.get(outcome.reason) ?? []), outcome.id]);
    else rows.push(check);
  }
  return { rows, idle: Array.from(byReason, ([reason, ids]) => ({ reason, ids })) };
}

/** What the scored checks weigh together: a check's share of the score is its weight over this. */
export const scoredWeight = (checks: readonly CheckOutcome[]): number =>
  checks.reduce((sum, { status, weight }) => sum + (status === 'scored' ? weight : 0), 0);

const units = [
  ['_s', ' s'],
  ['_ms', ' ms'],
  ['_hz', ' Hz'],
  ['_px', ' px'],
  ['_rad', ' rad'],
  ['_m', ' m'],
] as const;

/** `duration_s`, 13.1 as `duration 13.1 s`. */
function quantity(name: string, value: number): string {
  const [suffix, unit] = units.find(([ending]) => name.endsWith(ending)) ?? ['', ''];
  return `${words(name.slice(0, name.length - suffix.length))} ${number(value)}${unit}`;
}

/** The first numbers that a check measured, in one line. */
export function measuredInShort(inputs: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(inputs);
  const plain = entries.flatMap(([name, value]) =>
    typeof value === 'number' ? [quantity(name, value)] : [],
  );
  return plain.length > 0 ? plain.slice(0, 3).join(', ') : plural(entries.length, 'value');
}
