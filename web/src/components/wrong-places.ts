import { AssayApiError } from '#client';

/** Returns the messages of an API error for one field of the request body, such as `/stages/0/parameters/least`. */
export const wrongAt = (error: unknown, pointer: string): readonly string[] =>
  error instanceof AssayApiError
    ? error.errors.flatMap((each) => (bare(each.pointer) === pointer ? [each.message] : []))
    : [];

/** Returns true if an error must be shown separately, because some of it concerns no form field. */
export const isElsewhere = (error: unknown, isField: (pointer: string) => boolean): boolean =>
  error !== null &&
  !(
    error instanceof AssayApiError &&
    error.errors.length > 0 &&
    error.errors.every(({ pointer }) => isField(bare(pointer)))
  );

const bare = (pointer: string): string => pointer.replace(/^\/body(?=\/)/, '');
