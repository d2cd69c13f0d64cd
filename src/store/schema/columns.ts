import { customType, text, timestamp } from '../drizzle.ts';

/** First column of every key: no row belongs to nobody. */
export const tenantId = () => text('tenant_id').notNull();
/** UTC, milliseconds. */
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });
export const createdAt = () => at('created_at').notNull();
/** pgvector's type without a fixed length, since each descriptor has its own. */
export const vector = customType<{ data: string }>({ dataType: () => 'vector' });

/** Words of a text as they are, without the grammar of any language. */
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });
