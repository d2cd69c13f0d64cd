import { customType, text, timestamp } from '../drizzle.ts';

/** Creates the tenant column, the first column of every key. */
export const tenantId = () => text('tenant_id').notNull();
/** Creates a timestamp column in UTC with milliseconds. */
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });
/** Creates the column for the creation time. */
export const createdAt = () => at('created_at').notNull();
/** pgvector column without fixed length, because each descriptor has its own. */
export const vector = customType<{ data: string }>({ dataType: () => 'vector' });

/** Text search column; words are indexed unchanged, without language rules. */
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });
