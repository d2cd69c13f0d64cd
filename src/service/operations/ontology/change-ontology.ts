import type { SetOntology } from '#core/api';

interface Ontology {
  readonly declared: readonly string[];
  readonly renames: Readonly<Record<string, string>>;
}

/**
 * What is stored after a change: renames always lead from what recordings say to the last name, so that none leads on
 * to another.
 */
export function changeOntology(before: Ontology, change: SetOntology): Ontology {
  const renames = new Map(Object.entries(before.renames));
  const call = (from: string, to: string | null): void => {
    if (to === null) {
      renames.delete(from);
      return;
    }
    for (const [raw, name] of renames) if (name === from) renames.set(raw, to);
    renames.set(from, to);
  };
  for (const [from, to] of Object.entries(change.renames ?? {})) call(from, to);
  for (const { classes, into } of change.merges ?? []) for (const one of classes) call(one, into);
  for (const [raw, name] of renames) if (raw === name) renames.delete(raw);
  const declared = new Set([...before.declared, ...(change.declare ?? [])]);
  for (const gone of change.undeclare ?? []) declared.delete(gone);
  return {
    declared: [...declared].sort(),
    renames: Object.fromEntries([...renames].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
