import type { Finding } from '#episode';
import { AssayError } from '#kernel';
import { HandLost } from './hand.ts';
import type { Task } from './messages.ts';

/** Input that cannot be read costs its unit; a full disk, a cancellation or a fault of the program ends everything. */
export function concernsOneUnit(thrown: unknown): thrown is AssayError {
  return thrown instanceof AssayError && thrown.exitCode === 3;
}

/** What became of a unit that was given up. */
export function unitFinding({ unit }: Pick<Task, 'unit'>, thrown: AssayError | HandLost): Finding {
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

/** A dataset's path as seen from the path assessed. */
export function below(folder: string, path: string | null): string | null {
  return folder === '' ? path : path === null ? folder : `${folder}/${path}`;
}
