import { index, integer, jsonb, pgTable, primaryKey, text } from '../drizzle.ts';
import { at, createdAt, tenantId } from './columns.ts';

/** Support questions to the operator of the service. */
export const supportQueries = pgTable(
  'support_queries',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    project_id: text('project_id'),
    subject: text('subject').notNull(),
    message: text('message').notNull(),
    status: text('status').$type<'open'>().notNull(),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.id] })],
);

/** Chats with the copilot, private to their owner. The audit log, not this table, is the record of actions. */
export const copilotThreads = pgTable(
  'copilot_threads',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    /** User id, or token id for tokens without a user. */
    owner_id: text('owner_id').notNull(),
    project_id: text('project_id'),
    title: text('title').notNull(),
    messages: integer('messages').notNull(),
    created_at: createdAt(),
    updated_at: at('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('copilot_threads_owner').on(t.tenant_id, t.owner_id, t.id),
  ],
);

/** Messages of chat threads. */
export const copilotMessages = pgTable(
  'copilot_messages',
  {
    tenant_id: tenantId(),
    thread_id: text('thread_id').notNull(),
    /** Position in the thread, from 0. */
    place: integer('place').notNull(),
    role: text('role').$type<'user' | 'assistant'>().notNull(),
    content: text('content').notNull(),
    /** Only for assistant messages: tool calls of the turn and why it ended. */
    turn: jsonb('turn'),
    created_at: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.thread_id, t.place] })],
);

/** Tool calls that need confirmation: valid for the tool with these arguments in answer to this message. */
export const copilotConfirmations = pgTable(
  'copilot_confirmations',
  {
    tenant_id: tenantId(),
    owner_id: text('owner_id').notNull(),
    /** SHA-256 of the project and the answered message. */
    message_hash: text('message_hash').notNull(),
    tool: text('tool').notNull(),
    /** SHA-256 of the canonical arguments. */
    argument_hash: text('argument_hash').notNull(),
    asked_at: at('asked_at').notNull(),
    used_at: at('used_at'),
  },
  (t) => [
    primaryKey({
      name: 'copilot_confirmations_pk',
      columns: [t.tenant_id, t.owner_id, t.message_hash, t.tool, t.argument_hash],
    }),
  ],
);
