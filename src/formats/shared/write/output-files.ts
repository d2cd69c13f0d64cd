import { AssayError, systemCode } from '#core';

/**
 * Returns the result of a write; system errors become `output_unwritable` with their code, other errors are rethrown.
 */
export async function withWriteErrors<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === null) throw thrown;
    throw new AssayError('output_unwritable', `cannot write ${path} (${code})`, {
      path,
      advice: 'check that the folder is writable and that the disk is not full',
    });
  }
}

/**
 * Returns a distinct safe name for each id, for files and columns: `/camera/front/image` becomes `camera.front.image`;
 * duplicates get a number.
 */
export function toUniqueNames(ids: Iterable<string>): Map<string, string> {
  const keys = new Map<string, string>();
  const taken = new Set<string>();
  for (const id of ids) {
    const plain = toSafeName(id);
    let key = plain;
    for (let n = 2; taken.has(key); n++) key = `${plain}_${n}`;
    taken.add(key);
    keys.set(id, key);
  }
  return keys;
}

/** Converts an id to a safe name of letters, digits, `_`, `-` and single dots; `unnamed` if nothing remains. */
export function toSafeName(id: string): string {
  const parts = id.split(/[/.]+/).map((part) => part.replace(/[^A-Za-z0-9_-]+/g, '_'));
  return parts.filter((part) => part !== '').join('.') || 'unnamed';
}
