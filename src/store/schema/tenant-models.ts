import { jsonb, pgTable } from '../drizzle.ts';
import { at, tenantId } from './columns.ts';

/** Which models a tenant has chosen for all its projects, by surface; read with tolerance. No row: none. */
export const tenantModels = pgTable('tenant_models', {
  tenant_id: tenantId().primaryKey(),
  models: jsonb('models').notNull(),
  updated_at: at('updated_at').notNull(),
});
