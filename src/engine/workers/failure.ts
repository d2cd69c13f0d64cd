import { AssayError, type ErrorCode, errorCodes, messageOf } from '#core';

/** An AssayError on its way between threads. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly path: string | null;
  readonly place: string | null;
  readonly advice: string | null;
}

/** Anything thrown, as it crosses threads. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof AssayError) {
    const { code, message, path, place, advice } = thrown;
    return { code, message, path, place, advice };
  }
  const stack = thrown instanceof Error && thrown.stack !== undefined ? thrown.stack : messageOf(thrown);
  return { code: 'internal', message: messageOf(thrown), path: null, place: stack, advice: null };
}

export function errorOf(failure: Failure): AssayError {
  const code: ErrorCode = failure.code in errorCodes ? (failure.code as ErrorCode) : 'internal';
  return new AssayError(code, failure.message, {
    ...(failure.path === null ? {} : { path: failure.path }),
    ...(failure.place === null ? {} : { place: failure.place }),
    ...(failure.advice === null ? {} : { advice: failure.advice }),
  });
}
