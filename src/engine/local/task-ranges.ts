import type { Task } from '../steps/tasks.ts';

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
