import type { ReadinessSettings, TargetProfileId } from '#core/api';
import type { Kind } from '#core/episode';
import { bigint, boolean, index, jsonb, pgTable, primaryKey, text, uniqueIndex } from '../drizzle.ts';
import { at, createdAt, tenantId } from './columns.ts';

export const workspaces = pgTable(
  'workspaces',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    use_case: text('use_case').notNull(),
    /** What projects inherit; read with tolerance, as are those of a project. */
    annotation_settings: jsonb('annotation_settings').notNull().default({}),
    created_at: createdAt(),
    updated_at: at('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.id] })],
);

export const projects = pgTable(
  'projects',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    workspace_id: text('workspace_id').notNull(),
    name: text('name').notNull(),
    target_profile: text('target_profile').$type<TargetProfileId>().notNull(),
    /** Wins over the kinds derived from episodes. */
    data_kind_override: text('data_kind_override').$type<Kind>(),
    /** Differences from the defaults only. */
    readiness_settings: jsonb('readiness_settings').$type<ReadinessSettings>().notNull(),
    annotation_settings: jsonb('annotation_settings').notNull().default({}),
    created_at: createdAt(),
    updated_at: at('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('projects_workspace').on(t.tenant_id, t.workspace_id, t.id),
  ],
);

/** Where recordings come from; `location` is what its kind needs to open it. */
export type SourceLocation =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string }
  | { readonly kind: 'upload'; readonly key: string };

export const sources = pgTable(
  'sources',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    project_id: text('project_id').notNull(),
    name: text('name').notNull(),
    location: jsonb('location').$type<SourceLocation>().notNull(),
    /** An upload is `open` until its files are whole. */
    state: text('state').$type<'open' | 'ready' | 'gone'>().notNull(),
    files: bigint('files', { mode: 'number' }),
    bytes: bigint('bytes', { mode: 'number' }),
    /** When an open upload that nobody goes on with is thrown away. */
    expires_at: at('expires_at'),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('sources_project').on(t.tenant_id, t.project_id, t.id),
  ],
);

/** One file of an upload: promised, on its way in a staging folder, or whole in the blob store. */
export const uploadFiles = pgTable(
  'upload_files',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    source_id: text('source_id').notNull(),
    path: text('path').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    /** Promised by the sender, checked when whole. */
    sha256: text('sha256').notNull(),
    state: text('state').$type<'promised' | 'receiving' | 'whole'>().notNull(),
    /** Named when the upload was opened: it is missing until it is whole, even if what came of it was thrown away. */
    expected: boolean('expected').notNull(),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    uniqueIndex('upload_files_path').on(t.tenant_id, t.source_id, t.path),
  ],
);
