import type { Database, TenantScope } from '../database/database.ts';
import { and, asc, eq, gt, inArray, ne, or, sql as raw } from '../drizzle.ts';
import { sources, uploadFiles } from '../schema/projects.ts';
import type { RowLock } from './workspaces.ts';

export type UploadFileRow = typeof uploadFiles.$inferSelect;

const inSource = ({ tenant_id }: TenantScope, source_id: string) =>
  and(eq(uploadFiles.tenant_id, tenant_id), eq(uploadFiles.source_id, source_id));

/**
 * Returns an upload file; null if the tenant has none with this id. `lock` locks the row until the transaction ends.
 */
export async function getUploadFile(
  { sql, tenant_id }: TenantScope,
  id: string,
  lock?: RowLock,
): Promise<UploadFileRow | null> {
  const query = sql
    .select()
    .from(uploadFiles)
    .where(and(eq(uploadFiles.tenant_id, tenant_id), eq(uploadFiles.id, id)));
  const [row] = await (lock === undefined ? query : query.for(lock));
  return row ?? null;
}

/** Returns the upload file of a source with a path; null if there is none. */
export async function findUploadFile(
  scope: TenantScope,
  source_id: string,
  path: string,
): Promise<UploadFileRow | null> {
  const [row] = await scope.sql
    .select()
    .from(uploadFiles)
    .where(and(inSource(scope, source_id), eq(uploadFiles.path, path)));
  return row ?? null;
}

/** Lists upload files by path, only those after the path `after`; `unfinished`: only incomplete files. */
export async function listUploadFiles(
  scope: TenantScope,
  filter: {
    readonly source_id: string;
    readonly after: string | null;
    readonly limit: number;
    readonly unfinished: boolean;
  },
): Promise<UploadFileRow[]> {
  return scope.sql
    .select()
    .from(uploadFiles)
    .where(
      and(
        inSource(scope, filter.source_id),
        filter.after === null ? undefined : gt(uploadFiles.path, filter.after),
        filter.unfinished ? ne(uploadFiles.state, 'whole') : undefined,
      ),
    )
    .orderBy(asc(uploadFiles.path))
    .limit(filter.limit);
}

/** Returns the ids of all upload files of a source. */
export async function listUploadIds(scope: TenantScope, source_id: string): Promise<string[]> {
  const rows = await scope.sql
    .select({ id: uploadFiles.id })
    .from(uploadFiles)
    .where(inSource(scope, source_id));
  return rows.map(({ id }) => id);
}

/**
 * Returns the path of an existing file that conflicts with `path`, because one is a folder of the other; null if there
 * is none.
 */
export async function findPathClash(
  scope: TenantScope,
  source_id: string,
  path: string,
): Promise<string | null> {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  const below = raw`starts_with(${uploadFiles.path}, ${`${path}/`})`;
  const [row] = await scope.sql
    .select({ path: uploadFiles.path })
    .from(uploadFiles)
    .where(
      and(
        inSource(scope, source_id),
        folders.length === 0 ? below : or(inArray(uploadFiles.path, folders), below),
      ),
    )
    .limit(1);
  return row?.path ?? null;
}

/** Lists the files of a source that are being received. */
export async function listReceiving(scope: TenantScope, source_id: string): Promise<UploadFileRow[]> {
  return scope.sql
    .select()
    .from(uploadFiles)
    .where(and(inSource(scope, source_id), eq(uploadFiles.state, 'receiving')));
}

/**
 * Returns those of the ids that are being received, of all tenants; for the service, which cleans its staging folder.
 */
export async function findReceiving(
  { sql }: Pick<Database, 'sql'>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await sql
    .select({ id: uploadFiles.id })
    .from(uploadFiles)
    .where(and(inArray(uploadFiles.id, [...ids]), eq(uploadFiles.state, 'receiving')));
  return new Set(rows.map(({ id }) => id));
}

/** Totals of an upload. */
export interface UploadTotals {
  readonly files: number;
  readonly bytes: number;
  readonly unfinished: number;
}

/** Returns the totals of the upload files of a source. */
export async function countUploadFiles(scope: TenantScope, source_id: string): Promise<UploadTotals> {
  const [row] = await scope.sql
    .select({
      files: raw<number>`count(*)`.mapWith(Number),
      bytes: raw<number>`coalesce(sum(${uploadFiles.bytes}), 0)`.mapWith(Number),
      unfinished: raw<number>`count(*) FILTER (WHERE ${uploadFiles.state} <> 'whole')`.mapWith(Number),
    })
    .from(uploadFiles)
    .where(inSource(scope, source_id));
  return row;
}

const insertBatchSize = 1000;

/** Adds upload files. */
export async function insertUploadFiles(
  { sql, tenant_id }: TenantScope,
  rows: readonly Omit<UploadFileRow, 'tenant_id'>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += insertBatchSize) {
    const some = rows.slice(at, at + insertBatchSize).map((row) => ({ ...row, tenant_id }));
    await sql.insert(uploadFiles).values(some);
  }
}

/** Sets the state of an upload file. */
export async function setUploadFileState(
  { sql, tenant_id }: TenantScope,
  id: string,
  state: UploadFileRow['state'],
): Promise<void> {
  await sql
    .update(uploadFiles)
    .set({ state })
    .where(and(eq(uploadFiles.tenant_id, tenant_id), eq(uploadFiles.id, id)));
}

/** Deletes an upload file. */
export async function deleteUploadFile({ sql, tenant_id }: TenantScope, id: string): Promise<void> {
  await sql.delete(uploadFiles).where(and(eq(uploadFiles.tenant_id, tenant_id), eq(uploadFiles.id, id)));
}

/** Deletes all upload files of a source. */
export async function deleteUploadFiles(scope: TenantScope, source_id: string): Promise<void> {
  await scope.sql.delete(uploadFiles).where(inSource(scope, source_id));
}

/** Returns the sources of all tenants whose open upload has expired, at most 1,000. */
export async function listExpiredUploads(
  { sql }: Pick<Database, 'sql'>,
  now: Date,
): Promise<{ readonly tenant_id: string; readonly id: string }[]> {
  return sql
    .select({ tenant_id: sources.tenant_id, id: sources.id })
    .from(sources)
    .where(and(eq(sources.state, 'open'), raw`${sources.expires_at} < ${now.toISOString()}::timestamptz`))
    .limit(1000);
}
