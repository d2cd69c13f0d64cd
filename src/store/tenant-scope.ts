import type { Sql } from './database/database.ts';

/** What every repository function is given first: no query goes without its tenant. */
export interface TenantScope {
  readonly sql: Sql;
  readonly tenant_id: string;
}
