import { AssayApiError } from '@assay/client';

/** What a refusal says of one place of what was sent, as `/stages/0/parameters/least`; empty: nothing. */
export const wrongAt = (error: unknown, pointer: string): readonly string[] =>
  error instanceof AssayApiError
    ? error.errors.flatMap((each) => (bare(each.pointer) === pointer ? [each.message] : []))
    : [];

/** Whether a refusal says nothing that stands beside a field. */
export const isElsewhere = (error: unknown, isField: (pointer: string) => boolean): boolean =>
  error !== null &&
  !(
    error instanceof AssayApiError &&
    error.errors.length > 0 &&
    error.errors.every(({ pointer }) => isField(bare(pointer)))
  );

const bare = (pointer: string): string => pointer.replace(/^\/body(?=\/)/, '');
