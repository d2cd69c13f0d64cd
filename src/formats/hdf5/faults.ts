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
