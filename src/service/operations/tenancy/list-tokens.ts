import { idPattern } from '#core';
import type { Token } from '#core/api';
import { type Store, tokenRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { tokenOf } from './views.ts';

export interface TokensQuery {
  readonly user_id?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The tenant's tokens and invitations, newest first, revoked ones too. */
export async function listTokens(store: Store, call: Call, query: TokensQuery): Promise<Page<Token>> {
  requireRole(call, 'admin');
  const rows = await tokenRows.listTokens(scopeOf(store, call), {
    user_id: query.user_id ?? null,
    before: readCursor(query.cursor, idPattern('tok')),
    limit: query.limit + 1,
  });
  return pageOfRows(rows, query.limit, ({ id }) => id, tokenOf);
}
