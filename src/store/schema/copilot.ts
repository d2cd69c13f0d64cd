import { index, integer, jsonb, pgTable, primaryKey, text } from '../drizzle.ts';
import { at, createdAt, tenantId } from './columns.ts';

/** Questions to whoever runs the service. */
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

/** Talks with the copilot, each its owner's alone: what was said, to scroll back to. The audit log is the record. */
export const copilotThreads = pgTable(
  'copilot_threads',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    /** The user, or the token that is no user's. */
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

export const copilotMessages = pgTable(
  'copilot_messages',
  {
    tenant_id: tenantId(),
    thread_id: text('thread_id').notNull(),
    /** In order, from 0. */
    place: integer('place').notNull(),
    role: text('role').$type<'user' | 'assistant'>().notNull(),
    content: text('content').notNull(),
    /** Of an assistant's message: what the turn called and why it ended. */
    turn: jsonb('turn'),
    created_at: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.thread_id, t.place] })],
);

/** Calls of tools that wait for a person's yes: good for that tool with those arguments, in answer to that message. */
export const copilotConfirmations = pgTable(
  'copilot_confirmations',
  {
    tenant_id: tenantId(),
    owner_id: text('owner_id').notNull(),
    /** SHA-256 of the project and the message that the turn answered. */
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
