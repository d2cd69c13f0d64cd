import type { Incomplete } from '#core/api';
import type { Finding } from '#core/episode';
import type { CompareTask, ComparisonResult } from '../steps/comparer.ts';
import type { UnitOutcome } from '../steps/measure/measure-units.ts';
import { unfinishedUnit } from '../steps/measure/unit-faults.ts';
import type { JudgedUnit, JudgeTask, MeasuredUnit, Task } from '../steps/tasks.ts';
import { RetryOnce } from '../threads/do-range.ts';
import { WorkerLost } from '../workers/worker-thread.ts';

/** A unit that cannot be read. */
export interface FailedUnit {
  readonly task: Task;
  readonly finding: Finding;
}

/** A unit that could not be measured on this machine. */
export interface UnfinishedUnit {
  readonly task: Task;
  readonly incomplete: Incomplete;
}

/** Distributes units to workers and replaces lost workers. */
export class Dispatcher {
  readonly measured = new Map<number, MeasuredUnit>();
  readonly failed: FailedUnit[] = [];
  readonly unfinished: UnfinishedUnit[] = [];
  readonly #workers: (AssessWorker | null)[];
  readonly #start: (slot: number) => AssessWorker;
  /** Worker slot that holds a unit's measurements in memory. */
  readonly #owners = new Map<Task, number>();
  #tasks = new TaskRanges([], 1);
  /** Units that crashed a thread; retried when the others are done. */
  #retries: Task[] = [];
  readonly #retry = new RetryOnce<Task>();

  constructor(size: number, start: (slot: number) => AssessWorker) {
    this.#workers = new Array<AssessWorker | null>(size).fill(null);
    this.#start = start;
  }

  /**
   * Measures units on all workers and calls `onMeasured` for each that could be measured; the others are in `failed` or
   * `unfinished`. A unit that crashed a thread is retried alone, while the other threads are idle.
   */
  async measure(tasks: readonly Task[], onMeasured: (unit: MeasuredUnit) => void): Promise<void> {
    await this.#measureAll(tasks, false, onMeasured);
    while (this.#retries.length > 0) await this.#measureAll(this.#retries.splice(0, 1), true, onMeasured);
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
        this.#addUnfinished(task, unit);
        this.measured.set(task.place, { ...unit, rows: noRows });
        if (unit.kept === 'held') this.#owners.set(task, slot);
      }
    };
    // A lost worker's units are queued again, possibly after the others ran out of work.
    while (!this.#tasks.empty) {
      await (alone ? work(0) : this.#runAllSlots(work));
    }
  }

  /** Measures one unit. Returns null if it failed; the reason is in `failed` or `unfinished`. */
  async #measureOne(slot: number, task: Task): Promise<MeasuredUnit | null> {
    try {
      const outcome = await this.#worker(slot).measure(task);
      if (outcome.state === 'measured') return outcome.unit;
      if (outcome.state === 'unreadable') this.failed.push({ task, finding: outcome.finding });
      else this.unfinished.push({ task, incomplete: outcome.incomplete });
    } catch (thrown) {
      if (!(thrown instanceof WorkerLost)) throw thrown;
      this.#requeueUnits(slot);
      if (this.#retry.allows(task, thrown)) this.#retries.push(task);
      else this.unfinished.push({ task, incomplete: unfinishedUnit(task, thrown) });
    }
    return null;
  }

  /** Records the unfinished episodes of a unit, once, even if it is measured again. */
  #addUnfinished(task: Task, { unfinished = [] }: MeasuredUnit): void {
    if (this.unfinished.some((other) => other.task === task)) return;
    for (const incomplete of unfinished) this.unfinished.push({ task, incomplete });
  }

  /** Queues the units again that a lost worker held in memory. */
  #requeueUnits(slot: number): void {
    this.#workers[slot] = null;
    for (const [task, holder] of this.#owners) {
      if (holder !== slot) continue;
      this.#owners.delete(task);
      this.measured.delete(task.place);
      this.#tasks.putBack(slot, task);
    }
  }

  /** Runs comparisons and returns the results in the order of the tasks. `alone`: on one thread only. */
  async compare(tasks: readonly CompareTask[], alone: boolean): Promise<ComparisonResult[]> {
    const results: ComparisonResult[] = [];
    let next = 0;
    await this.#runAllSlots(async (slot) => {
      while (next < tasks.length && (slot === 0 || !alone)) {
        const at = next++;
        results[at] = await this.#worker(slot).compare(tasks[at]);
      }
    });
    return results;
  }

  /** Returns the indices of datasets that were not measured completely. */
  get incomplete(): ReadonlySet<number> {
    return new Set(this.unfinished.map(({ task }) => task.dataset));
  }

  /**
   * Judges every measured unit, calls `onJudged` for each, and returns them by place, without their verdicts. Units
   * of incomplete datasets are judged provisionally and without receipts.
   */
  async judge(
    notes: ReadonlyMap<number, JudgeTask['notes']>,
    onJudged: (unit: JudgedUnit) => void,
  ): Promise<JudgedUnit[]> {
    const ownUnits = this.#workers.map(() => [] as MeasuredUnit[]);
    for (const [{ place }, slot] of this.#owners) ownUnits[slot].push(this.measured.get(place)!);
    const units = [...this.measured.values()].filter(({ kept }) => kept !== 'held');
    units.sort((a, b) => a.place - b.place);
    const judged: JudgedUnit[] = [];
    const { incomplete } = this;
    await this.#runAllSlots(async (slot) => {
      const next = () => ownUnits[slot].shift() ?? units.shift();
      for (let unit = next(); unit !== undefined; unit = next()) {
        const { place, dataset, kept } = unit;
        const task = { place, dataset, kept, notes: notes.get(place) ?? {} };
        const provisional = incomplete.has(dataset) ? { provisional: true } : {};
        const done = await this.#worker(slot).judge({ ...task, ...provisional });
        onJudged(done);
        this.measured.set(place, { ...unit, kept: emptyRegion });
        judged.push({ ...done, verdicts: [] });
      }
      // Judging is the last stage: idle threads end while others still work.
      void this.#workers[slot]?.stop();
    });
    return judged.sort((a, b) => a.place - b.place);
  }

  /** Stops all threads but the first to free memory; they are restarted when needed. */
  async stopIdleThreads(): Promise<void> {
    await Promise.all(this.#workers.slice(1).map((worker) => worker?.stop()));
    this.#workers.fill(null, 1);
  }

  /** Stops all threads and drops the remaining tasks. */
  async stop(): Promise<void> {
    this.#tasks.clear();
    await Promise.all(this.#workers.map((worker) => worker?.stop()));
  }

  #worker(slot: number): AssessWorker {
    this.#workers[slot] ??= this.#start(slot);
    return this.#workers[slot];
  }

  /** Runs all slots. The first failure rejects; `stop` ends the rest. */
  #runAllSlots(work: (slot: number) => Promise<void>): Promise<unknown> {
    return Promise.all(this.#workers.map((_, slot) => work(slot)));
  }
}

/** Replaces data that was passed on, to free its memory. */
const emptyRegion = { bytes: new Uint8Array() };
const noRows = { episodes: [], indices: [], packed: {} };

/**
 * Splits tasks into contiguous ranges, one per worker: neighbouring units mostly belong to one file, whose hash and
 * footer the worker then computes once. A worker without tasks takes the last one of the longest range.
 */
export class TaskRanges {
  readonly #ranges: Task[][];

  constructor(tasks: readonly Task[], workers: number) {
    const total = tasks.reduce((sum, task) => sum + taskBytes(task), 0);
    this.#ranges = Array.from({ length: workers }, () => []);
    let before = 0;
    for (const task of tasks) {
      const middle = before + taskBytes(task) / 2;
      before += taskBytes(task);
      this.#ranges[Math.min(workers - 1, Math.floor((middle / total) * workers))].push(task);
    }
  }

  /**
   * Removes and returns the next task for a worker: of its own range, else the last one of the longest range; undefined if
   * none is left.
   */
  next(slot: number): Task | undefined {
    const own = this.#ranges[slot].shift();
    if (own !== undefined) return own;
    const longest = this.#ranges.reduce((a, b) => (b.length > a.length ? b : a));
    return longest.pop();
  }

  /** Adds a task at the end of a worker's range. */
  putBack(slot: number, task: Task): void {
    this.#ranges[slot].push(task);
  }

  get empty(): boolean {
    return this.#ranges.every((range) => range.length === 0);
  }

  /** Removes all tasks. */
  clear(): void {
    for (const range of this.#ranges) range.length = 0;
  }
}

const taskBytes = ({ unit }: Task): number => unit.bytes + 1;

/** Worker that does the work of one thread. */
export interface AssessWorker {
  /** Measures a unit. Throws `WorkerLost` if the thread died, and errors that affect everything. */
  measure(task: Task): Promise<UnitOutcome>;
  compare(task: CompareTask): Promise<ComparisonResult>;
  judge(task: JudgeTask): Promise<JudgedUnit>;
  /** Resolves when the aborted work has ended and everything is closed. The caller aborts its signal before. */
  stop(): Promise<void>;
}
