import type { Finding } from '#episode';
import type { DatasetFacts } from '#formats';
import {
  type ComparedNotes,
  type ComparisonRows,
  type ComparisonTable,
  createComparisonTable,
} from '#readiness';
import type { MeasuredUnit, Task } from './messages.ts';

/** Notes by episode id; only episodes that have any. */
export type UnitNotes = Readonly<Record<string, ComparedNotes>>;

export interface Compared {
  /** By dataset. */
  readonly findings: readonly (readonly Finding[])[];
  /** By the unit's place. */
  readonly notes: ReadonlyMap<number, UnitNotes>;
}

/**
 * Takes the comparison rows of units as they are measured, in any order, and compares the episodes of each dataset
 * when all are there.
 */
export class Comparer {
  readonly #tables: readonly ComparisonTable[];
  readonly #facts: readonly DatasetFacts[];
  /** Episodes of each unit; a unit that is measured again, after its worker was lost, says the same again. */
  readonly #units = new Map<number, { readonly dataset: number; readonly episodes: readonly string[] }>();

  constructor(facts: readonly DatasetFacts[]) {
    this.#facts = facts;
    this.#tables = facts.map(() => createComparisonTable());
  }

  add({ place, dataset }: Task, { rows }: MeasuredUnit): void {
    if (this.#units.has(place)) return;
    const episodes = linesOf(rows).map((line) => {
      const [episode, index, own]: [string, number, ComparisonRows] = JSON.parse(line);
      this.#tables[dataset].add(episode, index, own);
      return episode;
    });
    this.#units.set(place, { dataset, episodes });
  }

  conclude(): Compared {
    const concluded = this.#tables.map((table, dataset) => table.conclude(this.#facts[dataset]));
    const notes = new Map<number, UnitNotes>();
    for (const [place, { dataset, episodes }] of this.#units) {
      const own: Record<string, ComparedNotes> = {};
      for (const episode of episodes) {
        const note = concluded[dataset].notesOf(episode);
        if (Object.keys(note).length > 0) own[episode] = note;
      }
      notes.set(place, own);
    }
    return { findings: concluded.map(({ findings }) => findings), notes };
  }
}

function linesOf(bytes: Uint8Array): string[] {
  if (bytes.length === 0) return [];
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString().split('\n');
}
