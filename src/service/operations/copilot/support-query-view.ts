import type { SupportQuery } from '#core/api';
import type { supportRows } from '#store';

/** A support query as it is answered. */
export function supportQueryOf({ tenant_id, created_at, ...row }: supportRows.SupportQueryRow): SupportQuery {
  return { ...row, created_at: created_at.toISOString() };
}
