/** What keeps a part of a file from being read. */
export type Hdf5ErrorKind = 'no_hdf5' | 'damaged' | 'unsupported' | 'limit_exceeded';

interface ErrorParts {
  readonly path: string;
  /** A byte of the file, an object's path, or both; null: the file as a whole. */
  readonly place: string | null;
  /** What whoever has the file can do next. */
  readonly advice: string;
}

/** The only error that this package throws for what a file says; errors of the source pass as they are. */
export class Hdf5Error extends Error {
  /**
   * `no_hdf5`: no signature, or nothing leads to its content. `damaged`: cut off, overwritten or made to mislead.
   * `unsupported`: a part of HDF5 that is not read. `limit_exceeded`: a bound against hostile files.
   */
  readonly kind: Hdf5ErrorKind;
  readonly path: string;
  readonly place: string | null;
  readonly advice: string;

  constructor(kind: Hdf5ErrorKind, message: string, { path, place, advice }: ErrorParts) {
    super(message);
    this.name = 'Hdf5Error';
    this.kind = kind;
    this.path = path;
    this.place = place;
    this.advice = advice;
  }
}

/** Makes the error that is thrown out of an `Hdf5Error`, for programs that have a class of their own. */
export type ToError = (error: Hdf5Error) => Error;

/** A file's name in messages, and what its faults become. */
export interface NamedFile {
  readonly path: string;
  readonly toError: ToError;
}

/** Where in a file something is: the byte or object. */
export interface Place {
  readonly file: NamedFile;
  readonly place: string;
}

/** Errors that say something of a file, whatever class a caller's `toError` gave them. */
const ofFiles = new WeakSet<Error>();

/** Whether an error says something of a file, so that other parts of it may still be read. */
export function isFileError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && ofFiles.has(thrown);
}

/** The error to throw for a file as a whole. */
export function fileError(
  kind: Hdf5ErrorKind,
  message: string,
  file: NamedFile,
  advice: string,
  place: string | null = null,
): Error {
  const error = file.toError(new Hdf5Error(kind, message, { path: file.path, place, advice }));
  ofFiles.add(error);
  return error;
}

/** What the file says cannot be so: cut off, overwritten, or made to mislead. */
export function damaged(what: string, { file, place }: Place): Error {
  const advice =
    'copy the file again from its origin; if it is corrupt there too, h5dump shows what can be recovered';
  return fileError('damaged', `${file.path} is corrupt at ${place}: ${what}`, file, advice, place);
}

/** A part of HDF5 that is not read. */
export function unsupported(what: string, { file, place }: Place, advice: string): Error {
  return fileError('unsupported', `${file.path}, ${place}: ${what}`, file, advice, place);
}

/** A bound that keeps hostile files from taking all memory. */
export function beyondLimit(what: string, { file, place }: Place): Error {
  const advice = 'check the origin of the file; real recordings do not reach this limit';
  return fileError('limit_exceeded', `${file.path}, ${place}: ${what}`, file, advice, place);
}
