import type { Export } from '#core/api';
import type { Store } from '#store';
import type { Call } from '../call.ts';
import { rehearse } from '../rehearse.ts';
import { type CreateExport, createExport } from './create-export.ts';

/** The export as it would be queued, with its estimate; nothing is kept. Throws as `createExport`. */
export function previewExport(store: Store, call: Call, input: CreateExport): Promise<Export> {
  return rehearse(store, () => createExport(store, call, input));
}
