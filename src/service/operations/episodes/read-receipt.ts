import type { Receipt } from '#core/api';
import type { episodeRows, Store } from '#store';

type Place = Pick<episodeRows.ReceiptRow, 'pack_blob' | 'offset' | 'length'>;

/** A receipt as it was sealed. */
export function receiptBytes({ blobs }: Pick<Store, 'blobs'>, place: Place): Promise<Uint8Array> {
  return blobs.range(place.pack_blob, place.offset, place.length);
}

/** The same, read. It was written by this program and is found by its hash, so it is not checked again. */
export async function readReceipt(store: Pick<Store, 'blobs'>, place: Place): Promise<Receipt> {
  return JSON.parse(new TextDecoder().decode(await receiptBytes(store, place)));
}
