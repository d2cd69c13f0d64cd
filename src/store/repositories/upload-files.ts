import type { Database } from '../database/database.ts';
import { and, asc, eq, gt, inArray, ne, or, sql as raw } from '../drizzle.ts';
import { sources, uploadFiles } from '../schema/projects.ts';
import type { TenantScope } from '../tenant-scope.ts';
import type { RowLock } from './workspaces.ts';

export type UploadFileRow = typeof uploadFiles.$inferSelect;

const ofSource = ({ tenant_id }: TenantScope, source_id: string) =>
  and(eq(uploadFiles.tenant_id, tenant_id), eq(uploadFiles.source_id, source_id));

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

export async function findUploadFile(
  scope: TenantScope,
  source_id: string,
  path: string,
): Promise<UploadFileRow | null> {
  const [row] = await scope.sql
    .select()
    .from(uploadFiles)
    .where(and(ofSource(scope, source_id), eq(uploadFiles.path, path)));
  return row ?? null;
}

/** In the order of paths, those after the path `after`; `unfinished` leaves out what is whole. */
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
        ofSource(scope, filter.source_id),
        filter.after === null ? undefined : gt(uploadFiles.path, filter.after),
        filter.unfinished ? ne(uploadFiles.state, 'whole') : undefined,
      ),
    )
    .orderBy(asc(uploadFiles.path))
    .limit(filter.limit);
}

/** Ids of every file of a source. */
export async function listUploadIds(scope: TenantScope, source_id: string): Promise<string[]> {
  const rows = await scope.sql
    .select({ id: uploadFiles.id })
    .from(uploadFiles)
    .where(ofSource(scope, source_id));
  return rows.map(({ id }) => id);
}

/** A file that cannot stand beside one at `path`: it is a folder of it, or lies below it. Null when there is none. */
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
        ofSource(scope, source_id),
        folders.length === 0 ? below : or(inArray(uploadFiles.path, folders), below),
      ),
    )
    .limit(1);
  return row?.path ?? null;
}

/** Files that are on their way. */
export async function listReceiving(scope: TenantScope, source_id: string): Promise<UploadFileRow[]> {
  return scope.sql
    .select()
    .from(uploadFiles)
    .where(and(ofSource(scope, source_id), eq(uploadFiles.state, 'receiving')));
}

/** Of these ids those of any tenant that are on their way: for the service itself, which sweeps its staging folder. */
export async function receivingAmong(
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

export interface UploadTotals {
  readonly files: number;
  readonly bytes: number;
  readonly unfinished: number;
}

export async function countUploadFiles(scope: TenantScope, source_id: string): Promise<UploadTotals> {
  const [row] = await scope.sql
    .select({
      files: raw<number>`count(*)`.mapWith(Number),
      bytes: raw<number>`coalesce(sum(${uploadFiles.bytes}), 0)`.mapWith(Number),
      unfinished: raw<number>`count(*) FILTER (WHERE ${uploadFiles.state} <> 'whole')`.mapWith(Number),
    })
    .from(uploadFiles)
    .where(ofSource(scope, source_id));
  return row;
}

const insertedAtOnce = 1000;

export async function insertUploadFiles(
  { sql, tenant_id }: TenantScope,
  rows: readonly Omit<UploadFileRow, 'tenant_id'>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += insertedAtOnce) {
    const some = rows.slice(at, at + insertedAtOnce).map((row) => ({ ...row, tenant_id }));
    await sql.insert(uploadFiles).values(some);
  }
}

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

export async function deleteUploadFile({ sql, tenant_id }: TenantScope, id: string): Promise<void> {
  await sql.delete(uploadFiles).where(and(eq(uploadFiles.tenant_id, tenant_id), eq(uploadFiles.id, id)));
}

export async function deleteUploadFiles(scope: TenantScope, source_id: string): Promise<void> {
  await scope.sql.delete(uploadFiles).where(ofSource(scope, source_id));
}

/** Open uploads of any tenant that nobody went on with: the one look across tenants, made by the service itself. */
export async function expiredUploads(
  { sql }: Pick<Database, 'sql'>,
  now: Date,
): Promise<{ readonly tenant_id: string; readonly id: string }[]> {
  return sql
    .select({ tenant_id: sources.tenant_id, id: sources.id })
    .from(sources)
    .where(and(eq(sources.state, 'open'), raw`${sources.expires_at} < ${now.toISOString()}::timestamptz`))
    .limit(1000);
}
