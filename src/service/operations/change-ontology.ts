import { AssayError } from '#core';
import type { SetOntology } from '#core/api';

/** Classes that a workspace declares, and renames of a project from recorded to current name. */
export interface Ontology {
  readonly declared: readonly string[];
  readonly renames: Readonly<Record<string, string>>;
}

/** Maximum number of declared classes of a workspace, of renamed classes of a project, and of renames in one change. */
const maxClasses = 10_000;

/**
 * Returns the ontology after the renames, merges and declared or undeclared classes of a change; `before` is not changed. A
 * class that is renamed to `null` gets its recorded name back; classes in `undeclare` are no longer declared. Every rename
 * maps a name in recordings to its final name, so renames never chain. Throws `limit_exceeded`.
 */
export function changeOntology(before: Ontology, change: SetOntology): Ontology {
  const names = new CurrentNames(before.renames);
  const merges = (change.merges ?? []).flatMap(({ classes, into }) =>
    classes.map((from) => [from, into] as const),
  );
  const steps = [...Object.entries(change.renames ?? {}), ...merges];
  requireFew(steps.length, 'renamed or merged classes in one request');
  for (const [from, to] of steps)
    if (to === null) names.restore(from);
    else names.rename(from, to);
  const declared = new Set([...before.declared, ...(change.declare ?? [])]);
  for (const undeclared of change.undeclare ?? []) declared.delete(undeclared);
  const renames = names.renames();
  requireFew(renames.length, 'renamed classes');
  requireFew(declared.size, 'declared classes');
  return {
    declared: [...declared].sort(),
    renames: Object.fromEntries(renames.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function requireFew(count: number, what: string): void {
  if (count <= maxClasses) return;
  const most = maxClasses.toLocaleString('en');
  throw new AssayError(
    'limit_exceeded',
    `${count.toLocaleString('en')} ${what}; at most ${most} are allowed`,
  );
}

/** Recorded names that have the same current name. */
interface NameGroup {
  current: string;
  readonly recorded: Set<string>;
}

/** Current names of recorded classes. A rename takes logarithmic time on average, however many there are. */
class CurrentNames {
  readonly #byCurrent = new Map<string, NameGroup>();
  readonly #byRecorded = new Map<string, NameGroup>();

  constructor(renames: Readonly<Record<string, string>>) {
    for (const [recorded, current] of Object.entries(renames)) this.#assign(recorded, current);
  }

  /** Gives a recorded class its own name again. */
  restore(recorded: string): void {
    const group = this.#byRecorded.get(recorded);
    this.#byRecorded.delete(recorded);
    group?.recorded.delete(recorded);
  }

  /** Renames the recorded class of this name, and all classes that are called so now. */
  rename(from: string, to: string): void {
    const group = this.#byCurrent.get(from);
    if (group !== undefined && from !== to) {
      this.#byCurrent.delete(from);
      this.#merge(group, to);
    }
    this.restore(from);
    this.#assign(from, to);
  }

  /** Returns the classes whose current name differs from the recorded one. */
  renames(): [recorded: string, current: string][] {
    return [...this.#byRecorded].flatMap(([recorded, { current }]) =>
      recorded === current ? [] : [[recorded, current]],
    );
  }

  /** Moves a group to another current name. The smaller of two groups is added to the larger one. */
  #merge(group: NameGroup, to: string): void {
    const existing = this.#byCurrent.get(to) ?? { current: to, recorded: new Set() };
    const isLarger = existing.recorded.size > group.recorded.size;
    const [large, small] = isLarger ? [existing, group] : [group, existing];
    large.current = to;
    this.#byCurrent.set(to, large);
    for (const recorded of small.recorded) {
      large.recorded.add(recorded);
      this.#byRecorded.set(recorded, large);
    }
  }

  #assign(recorded: string, current: string): void {
    const group = this.#byCurrent.get(current) ?? { current, recorded: new Set() };
    group.recorded.add(recorded);
    this.#byCurrent.set(current, group);
    this.#byRecorded.set(recorded, group);
  }
}
