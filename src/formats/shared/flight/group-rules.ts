import type { StreamRole, UnitOfMeasure } from '#core/episode';
import type { NumberField } from './number-row.ts';
import type { SignalGroup } from './signal-table.ts';

/** Fields of a message type that belong together. */
export interface GroupRule {
  readonly suffix: string;
  readonly fields: RegExp;
  readonly role: StreamRole;
  /** What NaN says here by the autopilot's convention. */
  readonly nan_means?: string;
}

/**
 * Takes a type's numbers apart into streams by rules, in their order; what no rule takes stays together and is not
 * judged. `taken` are those that are clocks; `unitOf` says in which unit the fields of a group are, `rule` null for the
 * rest.
 */
export function groupByRules<Rule extends GroupRule>(
  rules: readonly Rule[],
  fields: readonly NumberField[],
  taken: ReadonlySet<number>,
  unitOf: (rule: Rule | null, own: readonly number[]) => UnitOfMeasure,
): SignalGroup[] {
  const left = new Set([...fields.keys()].filter((at) => !taken.has(at)));
  const groups: SignalGroup[] = [];
  for (const rule of rules) {
    const own = [...left].filter((at) => rule.fields.test(fields[at].name));
    if (own.length === 0) continue;
    for (const at of own) left.delete(at);
    const { suffix, role, nan_means } = rule;
    const unit = unitOf(rule, own);
    groups.push({ suffix, fields: own, role, unit, ...(nan_means === undefined ? {} : { nan_means }) });
  }
  if (left.size > 0) {
    const own = [...left];
    groups.push({
      suffix: groups.length === 0 ? '' : 'other',
      fields: own,
      role: 'other',
      unit: unitOf(null, own),
    });
  }
  return groups;
}
