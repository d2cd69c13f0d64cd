import type { JsonObject } from '#core';
import type { Finding } from '#core/episode';
import type { DatasetFacts } from '#formats';
import { comparisons } from '#quality/readiness';
import { regionBytes, Spool, type SpoolRegion } from '../../spool/spool.ts';
import type { MeasuredUnit } from '../tasks.ts';
import type { CompareTask, ComparisonResult } from './conclude.ts';

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
  /** Ids as JSON. */
  readonly episodes: string;
  readonly indices: Float64Array;
  readonly rows: Readonly<Record<string, SpoolRegion>>;
}

type Notes = Map<string, Record<string, JsonObject>>;

const heldBytes = 2e6;

/**
 * Takes the comparison rows of units as they are measured, in any order, and compares the episodes of each dataset
 * when all are there. Rows wait packed, and a worker unpacks one comparison's at a time: all of them together would be
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
  add({ place, dataset, rows }: Pick<MeasuredUnit, 'place' | 'dataset' | 'rows'>): void {
    const { episodes, indices, packed } = rows;
    if (this.#taken.has(place)) return;
    this.#taken.add(place);
    const regions: Record<string, SpoolRegion> = {};
    for (const [comparison, bytes] of Object.entries(packed)) {
      this.#spool.appendBytes(bytes);
      regions[comparison] = this.#spool.cut();
    }
    this.#units.push({
      place,
      dataset,
      episodes: JSON.stringify(episodes),
      indices: Float64Array.from(indices),
      rows: regions,
    });
  }

  /** `compare` concludes each task, in any order; answers in the order of the tasks. */
  async conclude(
    compare: (tasks: readonly CompareTask[]) => Promise<readonly ComparisonResult[]>,
  ): Promise<Compared> {
    this.#units.sort((a, b) => a.place - b.place);
    const tasks = this.#facts.flatMap((facts, dataset) => this.#tasksOf(dataset, facts));
    // The largest first, so that workers end together.
    const order = [...tasks.keys()].sort((a, b) => sizeOf(tasks[b].task) - sizeOf(tasks[a].task));
    const answers = await compare(order.map((at) => tasks[at].task));
    const findings: Finding[][] = this.#facts.map(() => []);
    const noted: Notes[] = this.#facts.map(() => new Map());
    tasks.forEach(({ dataset, task }, at) => {
      const result = answers[order.indexOf(at)];
      findings[dataset].push(...result.findings);
      addNotes(noted[dataset], task.comparison, result);
    });
    const notes = this.#units.map(
      ({ place, dataset, episodes }) => [place, notesOfUnit(episodes, noted[dataset])] as const,
    );
    return { findings, notes: new Map(notes) };
  }

  /** A task for each comparison that has something of any episode. */
  #tasksOf(dataset: number, facts: DatasetFacts): { dataset: number; task: CompareTask }[] {
    const { declared_cameras, declared_rate_hz, declared_statistics, rate_is_contract } = facts;
    const promised = { declared_cameras, declared_rate_hz, declared_statistics, rate_is_contract };
    const units = this.#units.filter((unit) => unit.dataset === dataset);
    return comparisons.ids.flatMap((comparison) => {
      const own = units.flatMap(({ episodes, indices, rows }) => {
        const packed = rows[comparison];
        return packed === undefined ? [] : [{ episodes, indices, packed }];
      });
      if (own.length === 0) return [];
      return [{ dataset, task: { comparison, facts: promised, units: own } }];
    });
  }
}

function sizeOf({ units }: CompareTask): number {
  return units.reduce((sum, { packed }) => sum + regionBytes(packed), 0);
}

function addNotes(noted: Notes, comparison: string, { notes }: ComparisonResult): void {
  for (const [episode, note] of notes) {
    const own = noted.get(episode);
    if (own === undefined) noted.set(episode, { [comparison]: note });
    else own[comparison] = note;
  }
}

function notesOfUnit(episodes: string, noted: Notes): UnitNotes {
  const own: Record<string, Readonly<Record<string, JsonObject>>> = {};
  if (noted.size === 0) return own;
  for (const episode of JSON.parse(episodes) as readonly string[]) {
    const note = noted.get(episode);
    if (note !== undefined) own[episode] = note;
  }
  return own;
}
