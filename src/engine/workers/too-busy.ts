import { AssayError } from '#core';

/** More is asked at once than is worked on and may wait. */
export const tooBusy = (): AssayError =>
  new AssayError('busy', 'too many of these requests wait', { details: { retry_after_s: 1 } });
