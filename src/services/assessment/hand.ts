import type { ComparedNotes } from '#readiness';
import type { JudgedUnit, MeasuredUnit, Task } from './messages.ts';

/** Whoever does the work of one thread: a worker thread, or the calling thread itself. */
export interface Hand {
  /** Throws an AssayError when the unit cannot be read, `HandLost` when the thread is gone. */
  measure(task: Task): Promise<MeasuredUnit>;
  judge(place: number, notes: Readonly<Record<string, ComparedNotes>>): Promise<JudgedUnit>;
  /** A new one in its place, empty-handed, after it was lost. */
  replace(): Hand;
  /** Resolves when what was being done has ended (the signal was given before) and thread and children are gone. */
  stop(): Promise<void>;
}

/** The thread ended under its work; what it had kept in memory is gone. */
export class HandLost extends Error {}
