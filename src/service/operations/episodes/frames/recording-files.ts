import { AssayError } from '#core';
import { goneRecording, recordingsOf } from '#engine';
import type { RecordingsRef } from '#io/sources';
import { type Store, sourceRows, type TenantScope } from '#store';

/** Where an episode's recordings can be opened now. Throws `not_found` where they cannot any more. */
export async function recordingsNow(
  store: Store,
  scope: TenantScope,
  source_id: string,
): Promise<RecordingsRef> {
  const source = await sourceRows.getSource(scope, source_id);
  if (source === null) throw goneRecording('the source was taken out');
  return recordingsOf(store, source).catch((thrown: unknown) => {
    // What a path says about itself is of no use to whoever asks for a frame.
    if (thrown instanceof AssayError && thrown.code === 'invalid_request')
      throw goneRecording(thrown.message);
    throw thrown;
  });
}
