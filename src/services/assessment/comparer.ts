import type { Finding } from '#episode';
import type { DatasetFacts } from '#formats';
import type { JsonObject } from '#kernel';
import { type ComparedRow, type Comparison, comparisons } from '#readiness';
import type { MeasuredUnit } from './messages.ts';
import { readLines, type Segment, Spool } from './spool.ts';

/** Notes by episode id, then by comparison; only episodes that have any. */
type UnitNotes = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

export interface Compared {
  /** By dataset. */
  readonly findings: readonly (readonly Finding[])[];
  /** By the unit's place. */
  readonly notes: ReadonlyMap<number, UnitNotes>;
}

interface Unit {
  readonly place: number;
  readonly dataset: number;
  readonly episodes: readonly string[];
  readonly indices: readonly number[];
  readonly rows: Readonly<Record<string, Segment>>;
}

type Notes = Map<string, Record<string, JsonObject>>;

const heldBytes = 8e6;

/**
 * Takes the comparison rows of units as they are measured, in any order, and compares the episodes of each dataset
 * when all are there. Rows wait as text, and one comparison's are unpacked at a time: all of them together would be
 * most of what an assessment of a large dataset holds.
 */
export class Comparer {
  readonly #facts: readonly DatasetFacts[];
  readonly #units: Unit[] = [];
  readonly #taken = new Set<number>();
  readonly #spool: Spool;

  constructor(facts: readonly DatasetFacts[], openFile: () => number) {
    this.#facts = facts;
    this.#spool = new Spool(openFile, heldBytes);
  }

  /** A unit that is measured again, after its worker was lost, says the same again and is not taken twice. */
  add({ place, dataset, rows: { episodes, indices, lines } }: MeasuredUnit): void {
    if (this.#taken.has(place)) return;
    this.#taken.add(place);
    const rows: Record<string, Segment> = {};
    for (const [comparison, bytes] of Object.entries(lines)) {
      this.#spool.appendBytes(bytes);
      rows[comparison] = this.#spool.cut();
    }
    this.#units.push({ place, dataset, episodes, indices, rows });
  }

  conclude(): Compared {
    const findings: (readonly Finding[])[] = [];
    const notes = new Map<number, UnitNotes>();
    this.#facts.forEach((facts, dataset) => {
      const units = this.#units.filter((unit) => unit.dataset === dataset).sort((a, b) => a.place - b.place);
      const ofDataset: Finding[] = [];
      const noted: Notes = new Map();
      for (const comparison of comparisons) ofDataset.push(...conclude(comparison, units, facts, noted));
      findings.push(ofDataset);
      for (const { place, episodes } of units) notes.set(place, notesOfUnit(episodes, noted));
    });
    return { findings, notes };
  }
}

function conclude(
  comparison: Comparison,
  units: readonly Unit[],
  facts: DatasetFacts,
  noted: Notes,
): readonly Finding[] {
  const rows = rowsOf(comparison.id, units);
  if (rows.length === 0) return [];
  const { findings, notes } = comparison.conclude(rows, facts);
  for (const [episode, note] of notes) {
    const own = noted.get(episode);
    if (own === undefined) noted.set(episode, { [comparison.id]: note });
    else own[comparison.id] = note;
  }
  return findings;
}

/** In the order of the episodes' index, whatever order they were measured in. */
function rowsOf(comparison: string, units: readonly Unit[]): ComparedRow<JsonObject>[] {
  const rows: { readonly index: number; readonly episode: string; readonly row: JsonObject }[] = [];
  for (const { episodes, indices, rows: segments } of units) {
    const segment = segments[comparison];
    if (segment === undefined) continue;
    let at = 0;
    for (const line of readLines(segment)) {
      if (line !== '') rows.push({ index: indices[at], episode: episodes[at], row: JSON.parse(line) });
      at++;
    }
  }
  return rows.sort((a, b) => a.index - b.index);
}

function notesOfUnit(episodes: readonly string[], noted: Notes): UnitNotes {
  const own: Record<string, Readonly<Record<string, JsonObject>>> = {};
  if (noted.size === 0) return own;
  for (const episode of episodes) {
    const note = noted.get(episode);
    if (note !== undefined) own[episode] = note;
  }
  return own;
}
