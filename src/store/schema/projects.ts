import type { ReadinessSettings, TargetProfileId } from '#core/api';
import type { Kind } from '#core/episode';
import { bigint, boolean, index, jsonb, pgTable, primaryKey, text, uniqueIndex } from '../drizzle.ts';
import { at, createdAt, tenantId } from './columns.ts';

/** Workspaces, which group projects. */
export const workspaces = pgTable(
  'workspaces',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    use_case: text('use_case').notNull(),
    /** Annotation settings inherited by projects; invalid values are ignored when read. */
    annotation_settings: jsonb('annotation_settings').notNull().default({}),
    created_at: createdAt(),
    updated_at: at('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.id] })],
);

/** Projects of a workspace. */
export const projects = pgTable(
  'projects',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    workspace_id: text('workspace_id').notNull(),
    name: text('name').notNull(),
    target_profile: text('target_profile').$type<TargetProfileId>().notNull(),
    /** Overrides the kinds derived from episodes. */
    data_kind_override: text('data_kind_override').$type<Kind>(),
    /** Only differences from the defaults. */
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

/** Location of recordings, with what each kind of source needs to open it. */
export type SourceLocation =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string }
  | { readonly kind: 'upload'; readonly key: string }
  | WebLocation;

/** Recordings behind an address, in the states in which their files were listed; each listing is a blob. */
export interface WebLocation {
  readonly kind: 'web';
  /** Address as formatted by `formatAddress`. */
  readonly address: string;
  /** Revision of the newest listing, which the next plan or run uses: a commit, else the SHA-256 of the listing. */
  readonly listed: string;
  /** Revision that the last run reads, and that its episodes are in; null before the first run. */
  readonly read: string | null;
}

/** Sources of recordings of a project. */
export const sources = pgTable(
  'sources',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    project_id: text('project_id').notNull(),
    name: text('name').notNull(),
    location: jsonb('location').$type<SourceLocation>().notNull(),
    /** An upload is `open` until its files are complete. */
    state: text('state').$type<'open' | 'ready' | 'gone'>().notNull(),
    files: bigint('files', { mode: 'number' }),
    bytes: bigint('bytes', { mode: 'number' }),
    /** Time at which an unfinished upload is deleted. */
    expires_at: at('expires_at'),
    created_at: createdAt(),
    created_by: text('created_by').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    index('sources_project').on(t.tenant_id, t.project_id, t.id),
  ],
);

/** A file of an upload: announced, being received in the staging folder, or complete in the blob store. */
export const uploadFiles = pgTable(
  'upload_files',
  {
    tenant_id: tenantId(),
    id: text('id').notNull(),
    source_id: text('source_id').notNull(),
    path: text('path').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    /** Announced by the sender, verified when complete. */
    sha256: text('sha256').notNull(),
    state: text('state').$type<'promised' | 'receiving' | 'whole'>().notNull(),
    /** Announced when the upload was opened: missing until it is complete, even if received bytes were discarded. */
    expected: boolean('expected').notNull(),
    created_at: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenant_id, t.id] }),
    uniqueIndex('upload_files_path').on(t.tenant_id, t.source_id, t.path),
  ],
);

/** Classes declared by a workspace, or renames of recorded classes in a project. */
export const ontologies = pgTable(
  'ontologies',
  {
    tenant_id: tenantId(),
    /** Id of a workspace or project. */
    owner_id: text('owner_id').notNull(),
    declared: jsonb('declared').$type<readonly string[]>().notNull(),
    renames: jsonb('renames').$type<Readonly<Record<string, string>>>().notNull(),
    updated_at: at('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant_id, t.owner_id] })],
);
