import type { Incomplete } from '#core/api';
import type { Finding } from '#core/episode';
import type { CompareTask, ComparisonResult } from '../steps/compare/conclude.ts';
import { isNotMeasured, unfinishedUnit } from '../steps/measure/unfinished.ts';
import { concernsOneUnit, unitFinding } from '../steps/measure/unit-finding.ts';
import type { JudgedUnit, JudgeTask, MeasuredUnit, Task } from '../steps/tasks.ts';
import { WorkerLost } from '../workers/worker-thread.ts';
import type { AssessWorker } from './assess-worker.ts';

export interface FailedUnit {
  readonly task: Task;
  readonly finding: Finding;
}

/** A unit that could not be measured here. */
export interface UnfinishedUnit {
  readonly task: Task;
  readonly incomplete: Incomplete;
}

/** Hands out units and replaces whoever is lost. */
export class Dispatcher {
  readonly measured = new Map<number, MeasuredUnit>();
  readonly failed: FailedUnit[] = [];
  readonly unfinished: UnfinishedUnit[] = [];
  readonly #workers: (AssessWorker | null)[];
  readonly #start: (slot: number) => AssessWorker;
  /** Who holds what was measured of a unit, where it is held. */
  readonly #holder = new Map<Task, number>();
  #tasks = new TaskRanges([], 1);
  /** Units over which a thread was lost, to be tried once more when the others are done. */
  #again: Task[] = [];
  readonly #tried = new Set<Task>();

  constructor(size: number, start: (slot: number) => AssessWorker) {
    this.#workers = new Array<AssessWorker | null>(size).fill(null);
    this.#start = start;
  }

  /**
   * Measures units; `onMeasured` hears of each as it is done. A unit over which a thread was lost is tried again
   * alone, while the other threads rest.
   */
  async measure(tasks: readonly Task[], onMeasured: (unit: MeasuredUnit) => void): Promise<void> {
    await this.#measureAll(tasks, false, onMeasured);
    while (this.#again.length > 0) await this.#measureAll(this.#again.splice(0, 1), true, onMeasured);
  }

  async #measureAll(
    tasks: readonly Task[],
    alone: boolean,
    onMeasured: (unit: MeasuredUnit) => void,
  ): Promise<void> {
    this.#tasks = new TaskRanges(tasks, this.#workers.length);
    const work = async (slot: number) => {
      for (let task = this.#tasks.next(slot); task !== undefined; task = this.#tasks.next(slot)) {
        const unit = await this.#measureOne(slot, task);
        if (unit === null) continue;
        onMeasured(unit);
        this.#unfinishedOf(task, unit);
        this.measured.set(task.place, { ...unit, rows: noRows });
        if (unit.kept === 'held') this.#holder.set(task, slot);
      }
    };
    // A lost worker gives back what it held, possibly after the others found nothing left.
    while (!this.#tasks.empty) {
      await (alone ? work(0) : this.#everyone(work));
    }
  }

  /** Null when the unit was given up; the reason is in `failed` or `unfinished`. */
  async #measureOne(slot: number, task: Task): Promise<MeasuredUnit | null> {
    try {
      return await this.#worker(slot).measure(task);
    } catch (thrown) {
      if (thrown instanceof WorkerLost) {
        this.#giveBack(slot);
        if (this.#mayTryAgain(task, thrown)) return null;
      }
      if (isNotMeasured(thrown)) this.unfinished.push({ task, incomplete: unfinishedUnit(task, thrown) });
      else if (concernsOneUnit(thrown)) this.failed.push({ task, finding: unitFinding(task, thrown) });
      else throw thrown;
      return null;
    }
  }

  /** Of a unit that is measured again, since its holder was lost, once. */
  #unfinishedOf(task: Task, { unfinished = [] }: MeasuredUnit): void {
    if (this.unfinished.some((other) => other.task === task)) return;
    for (const incomplete of unfinished) this.unfinished.push({ task, incomplete });
  }

  #mayTryAgain(task: Task, { again }: WorkerLost): boolean {
    if (!again || this.#tried.has(task)) return false;
    this.#tried.add(task);
    this.#again.push(task);
    return true;
  }

  /** What a lost worker held is measured again. */
  #giveBack(slot: number): void {
    this.#workers[slot] = null;
    for (const [task, holder] of this.#holder) {
      if (holder !== slot) continue;
      this.#holder.delete(task);
      this.measured.delete(task.place);
      this.#tasks.giveBack(slot, task);
    }
  }

  /** Concludes comparisons; gives the results in the order of the tasks. With `alone` the threads are left at rest. */
  async compare(tasks: readonly CompareTask[], alone: boolean): Promise<ComparisonResult[]> {
    const results: ComparisonResult[] = [];
    let next = 0;
    await this.#everyone(async (slot) => {
      while (next < tasks.length && (slot === 0 || !alone)) {
        const at = next++;
        results[at] = await this.#worker(slot).compare(tasks[at]);
      }
    });
    return results;
  }

  /** Datasets of which something is not measured. */
  get incomplete(): ReadonlySet<number> {
    return new Set(this.unfinished.map(({ task }) => task.dataset));
  }

  /**
   * Judges every measured unit; `onJudged` hears of each as it is done. Gives them by place. Units of a dataset of which
   * something is not measured are judged for now and without receipts.
   */
  async judge(
    notes: ReadonlyMap<number, JudgeTask['notes']>,
    onJudged: (unit: JudgedUnit) => void,
  ): Promise<JudgedUnit[]> {
    const held = this.#workers.map(() => [] as MeasuredUnit[]);
    for (const [{ place }, slot] of this.#holder) held[slot].push(this.measured.get(place)!);
    const units = [...this.measured.values()].filter(({ kept }) => kept !== 'held');
    units.sort((a, b) => a.place - b.place);
    const judged: JudgedUnit[] = [];
    const { incomplete } = this;
    await this.#everyone(async (slot) => {
      const next = () => held[slot].shift() ?? units.shift();
      for (let unit = next(); unit !== undefined; unit = next()) {
        const { place, dataset, kept } = unit;
        const task = { place, dataset, kept, notes: notes.get(place) ?? {} };
        const provisional = incomplete.has(dataset) ? { provisional: true } : {};
        const done = await this.#worker(slot).judge({ ...task, ...provisional });
        onJudged(done);
        this.measured.set(place, { ...unit, kept: nothingKept });
        judged.push({ ...done, verdicts: [] });
      }
      // Judging comes last: a thread that finds nothing left goes while the others still work.
      void this.#workers[slot]?.stop();
    });
    return judged.sort((a, b) => a.place - b.place);
  }

  /** Lets the threads but one go, and their memory with them; they are started again when there is work. */
  async rest(): Promise<void> {
    await Promise.all(this.#workers.slice(1).map((worker) => worker?.stop()));
    this.#workers.fill(null, 1);
  }

  async stop(): Promise<void> {
    this.#tasks.clear();
    await Promise.all(this.#workers.map((worker) => worker?.stop()));
  }

  #worker(slot: number): AssessWorker {
    this.#workers[slot] ??= this.#start(slot);
    return this.#workers[slot];
  }

  /** Runs all slots; the first failure wins and the rest is left to `stop`. */
  #everyone(work: (slot: number) => Promise<void>): Promise<unknown> {
    return Promise.all(this.#workers.map((_, slot) => work(slot)));
  }
}

/** What was handed on is not held here. */
const nothingKept = { bytes: new Uint8Array() };
const noRows = { episodes: [], indices: [], packed: {} };

/**
 * Shares tasks out so that each worker works through a range of its own, front to back: units that lie side by side are
 * mostly of one file, whose hash and footer a worker then works out once. Who is done takes the last of the longest
 * range that is left.
 */
export class TaskRanges {
  readonly #ranges: Task[][];

  constructor(tasks: readonly Task[], workers: number) {
    const total = tasks.reduce((sum, task) => sum + weight(task), 0);
    this.#ranges = Array.from({ length: workers }, () => []);
    let before = 0;
    for (const task of tasks) {
      const middle = before + weight(task) / 2;
      before += weight(task);
      this.#ranges[Math.min(workers - 1, Math.floor((middle / total) * workers))].push(task);
    }
  }

  next(slot: number): Task | undefined {
    const own = this.#ranges[slot].shift();
    if (own !== undefined) return own;
    const longest = this.#ranges.reduce((a, b) => (b.length > a.length ? b : a));
    return longest.pop();
  }

  giveBack(slot: number, task: Task): void {
    this.#ranges[slot].push(task);
  }

  get empty(): boolean {
    return this.#ranges.every((range) => range.length === 0);
  }

  clear(): void {
    for (const range of this.#ranges) range.length = 0;
  }
}

const weight = ({ unit }: Task): number => unit.bytes + 1;
