import { AssayError, type JsonObject } from '#core';
import type { Finding } from '#core/episode';
import type { DatasetFacts } from '#formats';
import { applySeverities, loaderSeverities } from '#formats/rules';
import { type ComparisonRow, comparisons, type DeclaredDatasetFacts } from '#quality/readiness';
import { readBytes, regionBytes, Spool, type SpoolRegion } from '../spool.ts';
import { unpackRows } from './measure/row-pack.ts';
import type { MeasuredUnit } from './tasks.ts';

/** Notes by episode id, then by comparison; only episodes that have any. */
type UnitNotes = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

/** Result of all comparisons. */
export interface ComparedDatasets {
  /** Findings per dataset. */
  readonly findings: readonly (readonly Finding[])[];
  /** Notes per unit place. */
  readonly notes: ReadonlyMap<number, UnitNotes>;
}

interface Unit {
  readonly place: number;
  readonly dataset: number;
  /** Episode ids as JSON. */
  readonly episodes: string;
  readonly indices: Float64Array;
  readonly rows: Readonly<Record<string, SpoolRegion>>;
}

type Notes = Map<string, Record<string, JsonObject>>;

const maxMemory_bytes = 2e6;

/**
 * Collects the comparison rows of units as they are measured, in any order, and compares the episodes of each dataset
 * at the end. Rows stay packed, and a worker unpacks one comparison at a time: unpacked together they would dominate
 * the memory of a large assessment.
 */
export class Comparer {
  readonly #facts: readonly DatasetFacts[];
  readonly #units: Unit[] = [];
  readonly #taken = new Set<number>();
  readonly #spool: Spool;

  constructor(facts: readonly DatasetFacts[], openFile: () => number) {
    this.#facts = facts;
    this.#spool = new Spool(openFile, maxMemory_bytes);
  }

  /** Adds the rows of a unit. A second call for the same unit (measured again after its worker was lost) is ignored. */
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

  /**
   * Runs all comparisons through `compare` and returns the findings per dataset and the notes per unit.
   * `compare` concludes the tasks in any order and returns the results in the order of the tasks.
   */
  async conclude(
    compare: (tasks: readonly CompareTask[]) => Promise<readonly ComparisonResult[]>,
  ): Promise<ComparedDatasets> {
    this.#units.sort((a, b) => a.place - b.place);
    const tasks = this.#facts.flatMap((facts, dataset) => this.#buildTasks(dataset, facts));
    // Largest first, so that workers finish at about the same time.
    const order = [...tasks.keys()].sort((a, b) => taskBytes(tasks[b].task) - taskBytes(tasks[a].task));
    const answers = await compare(order.map((at) => tasks[at].task));
    const findings: Finding[][] = this.#facts.map(() => []);
    const noted: Notes[] = this.#facts.map(() => new Map());
    tasks.forEach(({ dataset, task }, at) => {
      const result = answers[order.indexOf(at)];
      const severities = loaderSeverities(this.#facts[dataset]);
      findings[dataset].push(...applySeverities(result.findings, severities));
      addNotes(noted[dataset], task.comparison, result);
    });
    const notes = this.#units.map(
      ({ place, dataset, episodes }) => [place, collectUnitNotes(episodes, noted[dataset])] as const,
    );
    return { findings, notes: new Map(notes) };
  }

  /** Returns one task per comparison that has rows in the dataset. */
  #buildTasks(dataset: number, facts: DatasetFacts): { dataset: number; task: CompareTask }[] {
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

function taskBytes({ units }: CompareTask): number {
  return units.reduce((sum, { packed }) => sum + regionBytes(packed), 0);
}

function addNotes(noted: Notes, comparison: string, { notes }: ComparisonResult): void {
  for (const [episode, note] of notes) {
    const own = noted.get(episode);
    if (own === undefined) noted.set(episode, { [comparison]: note });
    else own[comparison] = note;
  }
}

function collectUnitNotes(episodes: string, noted: Notes): UnitNotes {
  const own: Record<string, Readonly<Record<string, JsonObject>>> = {};
  if (noted.size === 0) return own;
  for (const episode of JSON.parse(episodes) as readonly string[]) {
    const note = noted.get(episode);
    if (note !== undefined) own[episode] = note;
  }
  return own;
}

/** One comparison over one dataset; any worker can run it. */
export interface CompareTask {
  readonly comparison: string;
  readonly facts: DeclaredDatasetFacts;
  readonly units: readonly ComparedUnit[];
}

/** Packed rows of one comparison, one per episode of a unit. */
interface ComparedUnit {
  /** Episode ids as JSON: one string is far cheaper to send between threads than thousands. */
  readonly episodes: string;
  readonly indices: Float64Array;
  readonly packed: SpoolRegion;
}

/** Result of one comparison. */
export interface ComparisonResult {
  readonly findings: readonly Finding[];
  /** Notes by episode id. */
  readonly notes: readonly (readonly [episode: string, note: JsonObject])[];
}

/** Returns the findings and notes of one comparison over the episodes of a dataset, ordered by index. */
export function concludeComparison({ comparison, facts, units }: CompareTask): ComparisonResult {
  const row = comparisons.get(comparison);
  if (row === undefined) throw new AssayError('internal', `unknown comparison ${comparison}`);
  const { findings, notes } = row.conclude(unpackComparedRows(units), facts);
  return { findings, notes: [...notes] };
}

function unpackComparedRows(units: readonly ComparedUnit[]): ComparisonRow<JsonObject>[] {
  const rows: { readonly index: number; readonly episode: string; readonly row: JsonObject }[] = [];
  for (const { episodes, indices, packed } of units) {
    const ids: readonly string[] = JSON.parse(episodes);
    unpackRows(readBytes(packed)).forEach((row, at) => {
      if (row !== null) rows.push({ index: indices[at], episode: ids[at], row });
    });
  }
  return rows.sort((a, b) => a.index - b.index);
}
