import { AssayError } from '#kernel';

/** Where in a file something is: its path, and the byte or object. */
export interface Place {
  readonly path: string;
  readonly place: string;
}

/** What the file says cannot be so: cut off, overwritten, or made to mislead. */
export function damaged(what: string, { path, place }: Place): AssayError {
  return new AssayError('unreadable_input', `${path} is damaged at ${place}: ${what}`, {
    ...{ path, place },
    advice:
      'copy the file again from where it was recorded; if it is the same there, h5dump shows what is left',
  });
}

/** A part of HDF5 that is not read. */
export function unsupported(what: string, { path, place }: Place, advice: string): AssayError {
  return new AssayError('unsupported_version', `${path}, ${place}: ${what}`, { path, place, advice });
}

/** A bound that keeps hostile files from taking all memory. */
export function beyondLimit(what: string, { path, place }: Place): AssayError {
  return new AssayError('limit_exceeded', `${path}, ${place}: ${what}`, {
    ...{ path, place },
    advice: 'check where the file comes from; recordings do not get there',
  });
}

const ofTheFile: ReadonlySet<string> = new Set(['unreadable_input', 'unsupported_version', 'limit_exceeded']);

/**
 * What one can do without: null where the file is damaged there, or holds what is not read. Everything else, such as a
 * fault of the disk, is thrown on.
 */
export async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (thrown) {
    if (thrown instanceof AssayError && ofTheFile.has(thrown.code)) return null;
    throw thrown;
  }
}
