import type { Finding } from '#episode';
import { AssayError } from '#kernel';
import type { ComparedNotes } from '#readiness';
import { type Hand, HandLost } from './hand.ts';
import type { JudgedUnit, MeasuredUnit, Task } from './messages.ts';

export interface FailedUnit {
  readonly task: Task;
  readonly finding: Finding;
}

/** Hands out units, remembers who keeps what, and replaces whoever is lost. */
export class Crew {
  readonly measured = new Map<number, MeasuredUnit>();
  readonly failed: FailedUnit[] = [];
  readonly #hands: Hand[];
  readonly #onMeasured: (task: Task, unit: MeasuredUnit) => void;
  readonly #owner = new Map<number, number>();
  readonly #queue: Task[] = [];

  constructor(hands: Hand[], onMeasured: (task: Task, unit: MeasuredUnit) => void) {
    this.#hands = hands;
    this.#onMeasured = onMeasured;
  }

  async measure(tasks: readonly Task[]): Promise<void> {
    this.#queue.push(...tasks);
    // A lost hand gives its units back, possibly after the others found the queue empty.
    while (this.#queue.length > 0) await this.#everyone((slot) => this.#measureSome(slot, tasks));
  }

  async #measureSome(slot: number, tasks: readonly Task[]): Promise<void> {
    for (let task = this.#queue.shift(); task !== undefined; task = this.#queue.shift()) {
      try {
        const unit = await this.#hands[slot].measure(task);
        this.#onMeasured(task, unit);
        this.measured.set(task.place, { ...unit, rows: noRows });
        this.#owner.set(task.place, slot);
      } catch (thrown) {
        if (thrown instanceof HandLost) this.#replace(slot, tasks);
        else if (!concernsOneUnit(thrown)) throw thrown;
        this.failed.push({ task, finding: unitFinding(task, thrown) });
      }
    }
  }

  /** What the lost one had kept is measured again; only the unit it was lost over is given up. */
  #replace(slot: number, tasks: readonly Task[]): void {
    this.#hands[slot] = this.#hands[slot].replace();
    for (const task of tasks) {
      if (this.#owner.get(task.place) !== slot) continue;
      this.#owner.delete(task.place);
      this.measured.delete(task.place);
      this.#queue.push(task);
    }
  }

  /** Judges every measured unit where it is kept; gives them by place. */
  async judge(
    notes: ReadonlyMap<number, Readonly<Record<string, ComparedNotes>>>,
    onJudged: (unit: JudgedUnit) => void,
  ): Promise<JudgedUnit[]> {
    const places = [...this.measured.keys()].sort((a, b) => a - b);
    const judged: JudgedUnit[] = [];
    await this.#everyone(async (slot) => {
      for (const place of places) {
        if (this.#owner.get(place) !== slot) continue;
        const unit = await this.#hands[slot].judge(place, notes.get(place) ?? {});
        onJudged(unit);
        judged.push({ ...unit, verdicts: noBytes });
      }
    });
    return judged.sort((a, b) => a.place - b.place);
  }

  async stop(): Promise<void> {
    this.#queue.length = 0;
    await Promise.all(this.#hands.map((hand) => hand.stop()));
  }

  /** Runs all hands; the first failure wins and the rest is left to `stop`. */
  #everyone(work: (slot: number) => Promise<void>): Promise<unknown> {
    return Promise.all(this.#hands.map((_, slot) => work(slot)));
  }
}

/** What was handed on is not held here. */
const noBytes = new Uint8Array();
const noRows = { episodes: [], indices: [], lines: {} };

/** Input that cannot be read costs its unit; a full disk, a cancellation or a fault of the program ends everything. */
function concernsOneUnit(thrown: unknown): thrown is AssayError {
  return thrown instanceof AssayError && thrown.exitCode === 3;
}

function unitFinding({ unit }: Task, thrown: AssayError | HandLost): Finding {
  if (thrown instanceof HandLost) {
    return {
      code: 'worker_lost',
      severity: 'error',
      path: unit.id,
      message: `reading ${unit.id} ended its worker (${thrown.message}); the rest was judged`,
      advice: 'look at the file named: it may be damaged, or need more memory than there is',
    };
  }
  return {
    code: thrown.code,
    severity: 'error',
    path: thrown.path ?? unit.id,
    message: `${thrown.message}${thrown.place === null ? '' : ` (at ${thrown.place})`}`,
    advice: thrown.advice ?? 'look at the file named; the rest was judged',
  };
}
