import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { Task } from '../tasks.ts';

/** Input that cannot be read costs its unit; a full disk, a cancellation or a fault of the program ends everything. */
export function concernsOneUnit(thrown: unknown): thrown is AssayError {
  return thrown instanceof AssayError && thrown.exitCode === 3;
}

/** What is wrong with a unit that cannot be read. */
export function unitFinding({ unit }: Pick<Task, 'unit'>, thrown: AssayError): Finding {
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
