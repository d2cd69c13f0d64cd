import { codeTitle } from '#core/titles';
import { number, plural, words } from './labels.ts';

/** Fields of a check's outcome that its row shows. */
export type CheckOutcome = { readonly id: string; readonly threshold: number; readonly weight: number } & (
  | {
      readonly status: 'scored';
      readonly score: number;
      readonly inputs: Readonly<Record<string, unknown>>;
    }
  | { readonly status: 'inapplicable' | 'not_assessable' | 'disabled'; readonly reason: string }
);

/** Checks that do not apply to an episode, for one reason. */
export interface IdleChecks {
  readonly reason: string;
  readonly ids: readonly string[];
}

/**
 * Splits checks into rows of the table, unmeasured ones included, and those that do not apply or are disabled,
 * grouped by reason (`idle`).
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

/**
 * Returns the total weight of the scored checks; a check's share of the score is its weight divided by it.
 */
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

/** Formats a named number with its unit: `duration_s`, 13.1 as `duration 13.1 s`. */
function quantity(name: string, value: number): string {
  const [suffix, unit] = units.find(([ending]) => name.endsWith(ending)) ?? ['', ''];
  return `${words(name.slice(0, name.length - suffix.length))} ${number(value)}${unit}`;
}

/**
 * Formats the first three numbers that a check measured in one line, or the count of its values if none is a number.
 */
export function measuredInShort(inputs: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(inputs);
  const plain = entries.flatMap(([name, value]) =>
    typeof value === 'number' ? [quantity(name, value)] : [],
  );
  return plain.length > 0 ? plain.slice(0, 3).join(', ') : plural(entries.length, 'value');
}

const severities = ['blocking', 'warning', 'info'] as const;

/** Fields of a flag that determine its group and order. */
export interface RaisedFlag {
  readonly code: string;
  readonly check: string;
  readonly severity: (typeof severities)[number];
  readonly score: number;
  readonly advice: string;
}

/** Flags of one code and check: for example, a stalled recorder leaves a gap in every stream. */
export interface FlagGroup<Flag extends RaisedFlag> {
  /** At least one flag, with its index in the receipt. */
  readonly raised: readonly { readonly flag: Flag; readonly index: number }[];
  /** Lowest score of the flags. */
  readonly score: number;
  /** Distinct recommended actions. */
  readonly advices: readonly string[];
}

/** Groups flags by check and code, most severe first, then by lowest score. */
export function flagGroups<Flag extends RaisedFlag>(flags: readonly Flag[]): FlagGroup<Flag>[] {
  const groups = new Map<string, { readonly flag: Flag; readonly index: number }[]>();
  for (const [index, flag] of flags.entries()) {
    const key = `${flag.check} ${flag.code}`;
    groups.set(key, [...(groups.get(key) ?? []), { flag, index }]);
  }
  const rank = ({ raised: [{ flag }] }: FlagGroup<Flag>) => severities.indexOf(flag.severity);
  return Array.from(groups.values(), (raised) => ({
    raised,
    score: Math.min(...raised.map(({ flag }) => flag.score)),
    advices: [...new Set(raised.map(({ flag }) => flag.advice))],
  })).sort((a, b) => rank(a) - rank(b) || a.score - b.score);
}

/**
 * Returns at most `maxItems` (at least 2) items, evenly spread, including the first and last; a short list is
 * returned unchanged.
 */
export function spread<Item>(items: readonly Item[], maxItems: number): readonly Item[] {
  if (items.length <= maxItems) return items;
  return Array.from(
    { length: maxItems },
    (_, i) => items[Math.round((i * (items.length - 1)) / (maxItems - 1))],
  );
}

/**
 * Replaces codes by titles in the reason of a decision: `failed: signal_jump` becomes `failed: Signal jump`; other
 * parts are unchanged.
 */
export function reasonText(reason: string): string {
  const parts = reason.split('; ').map((part) => {
    const [, kind, codes] = /^(blocking|failed): ([a-z0-9_, ]+)$/.exec(part) ?? [];
    return codes === undefined ? part : `${kind}: ${codes.split(', ').map(codeTitle).join(', ')}`;
  });
  return parts.join('; ');
}
