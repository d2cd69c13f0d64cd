import type { CompareTask, ComparisonResult } from '../steps/compare/conclude.ts';
import type { JudgedUnit, JudgeTask, MeasuredUnit, Task } from '../steps/tasks.ts';

/** Whoever does the work of one thread. */
export interface AssessWorker {
  /** Throws an AssayError when the unit cannot be read (`unfinished`: not here), `WorkerLost` when the thread is gone. */
  measure(task: Task): Promise<MeasuredUnit>;
  compare(task: CompareTask): Promise<ComparisonResult>;
  judge(task: JudgeTask): Promise<JudgedUnit>;
  /** Resolves when what was being done has ended (the signal was given before) and nothing of it is open. */
  stop(): Promise<void>;
}
