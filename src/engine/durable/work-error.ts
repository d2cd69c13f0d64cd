import { AssayError, messageOf } from '#core';
import type { RunError } from '#store';
import { WorkerLost } from '../workers/worker-thread.ts';
import type { WorkKind } from './engine.ts';

type Named = Pick<WorkKind<never, never>, 'noun' | 'tryAgain'>;

/** What was thrown, as work keeps it: what a person needs, nothing of the program's inside. */
export function workError({ noun, tryAgain }: Named, thrown: unknown): RunError {
  if (thrown instanceof AssayError) {
    const { code, message, path, advice } = thrown;
    return { code, message, path, advice };
  }
  if (thrown instanceof WorkerLost) {
    return {
      code: 'unfinished',
      message: `a thread of the ${noun} ${thrown.message}`,
      path: null,
      advice: `${tryAgain}; where the same comes again, do parts alone to find what ends it`,
    };
  }
  return {
    code: 'internal',
    message: `a fault in the program: ${messageOf(thrown)}`,
    path: null,
    advice: `${tryAgain}; if it fails again, report it with the log of the service`,
  };
}

/** Every process that took it ended. */
export const diedError = ({ tryAgain }: Named, reason: string): RunError => ({
  code: 'internal',
  message: `each process that worked on it ended: ${reason}`,
  path: null,
  advice: `look into the log of the service for what ended it, then ${tryAgain}`,
});
