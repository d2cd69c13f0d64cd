import { access, constants, lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AssayError, type ErrorCode } from '#core';
import type { RecordingsRef, SourceAccess } from '#io/sources';
import { Traffic } from '#io/sources/web';
import type { BlobLocation, Store, sourceRows } from '#store';
import { openWebSource } from './web-sources.ts';

/** Choice of the state in which a web source is opened. Other sources are read as they are. */
export interface WebChoice {
  /** Revision to read; default: the one that the episodes of the source are in, else the newest listing. */
  readonly revision?: string | null;
  /** Counts what is downloaded. */
  readonly traffic?: Traffic;
}

/**
 * Returns where a source's recordings can be opened, after checking that this is still allowed. Permissions are checked on
 * each call, since roots and links change. Throws `not_ready` during an upload, `not_found` for a deleted source,
 * `source_not_allowed`, `storage_unavailable`.
 */
export async function resolveRecordings(
  store: Pick<Store, 'blobs' | 'source_access'>,
  { id, location, state, tenant_id }: Pick<sourceRows.SourceRow, 'id' | 'location' | 'state' | 'tenant_id'>,
  { revision = null, traffic = new Traffic() }: WebChoice = {},
): Promise<RecordingsRef> {
  if (state === 'gone') throw new AssayError('not_found', 'the source was deleted');
  if (state === 'open') {
    throw new AssayError('not_ready', 'the upload is not complete', {
      advice: 'send the missing files, then POST /v1/sources/{source_id}/complete',
    });
  }
  const { source_access: allowed, blobs } = store;
  const { cache_folder, cache_bytes } = allowed;
  switch (location.kind) {
    case 'folder':
      return { kind: 'folder', path: await requireAllowedFolder(allowed, location.path) };
    case 's3': {
      const { bucket } = location;
      const prefix = requireAllowedPrefix(allowed, blobs.locate(tenant_id), location);
      return { kind: 's3', connection: allowed.s3, bucket, prefix, cache_folder, cache_bytes };
    }
    case 'upload': {
      const place = blobs.locate(location.key);
      return place.kind === 'folder' ? place : { ...place, cache_folder, cache_bytes };
    }
    case 'web': {
      const wanted = revision ?? location.read ?? location.listed;
      return openWebSource(store, { id, tenant_id, location }, wanted, traffic);
    }
  }
}

/**
 * Returns the absolute path of recordings on this machine if, with all links resolved, it lies under an allowed root
 * and does not overlap the service's private folders. Throws `source_not_allowed`, with the same message whether or
 * not something exists outside the roots, and `invalid_request` for missing or unreadable paths inside.
 */
export async function requireAllowedFolder(allowed: SourceAccess, path: string): Promise<string> {
  const target = resolve(path);
  const root = isAbsolute(path) ? await findRoot(allowed.roots, target) : null;
  if (root === null) throw folderNotAllowed(allowed);
  let real = root.real;
  for (const name of relative(root.named, target)
    .split(sep)
    .filter((part) => part !== '')) {
    real = await resolveStep(allowed, real, name, target);
    if (!(await isInsideRoots(allowed.roots, real))) throw folderNotAllowed(allowed);
  }
  for (const own of allowed.private_folders) {
    const folder = await realpath(own).catch(() => resolve(own));
    if (isWithin(real, folder) || isWithin(folder, real)) throw privateFolderError(folder);
  }
  return requireReadable(target, real);
}

interface Root {
  /** The root as configured or with links resolved, whichever the path starts with. */
  readonly named: string;
  readonly real: string;
}

async function findRoot(roots: readonly string[], target: string): Promise<Root | null> {
  for (const named of roots) {
    const real = await realpath(named).catch(() => null);
    if (real === null) continue;
    if (isWithin(target, named)) return { named, real };
    if (isWithin(target, real)) return { named: real, real };
  }
  return null;
}

/**
 * Returns the real path of one more path component. Throws if it is missing or cannot be opened. A dangling link is refused
 * like a link to the outside, so that existence does not leak.
 */
async function resolveStep(
  allowed: SourceAccess,
  folder: string,
  name: string,
  target: string,
): Promise<string> {
  const path = join(folder, name);
  const info = await lstat(path).catch(() => null);
  if (info === null) throw unusableError(`no such file or folder: ${target}`);
  return realpath(path).catch(() => {
    throw info.isSymbolicLink()
      ? folderNotAllowed(allowed)
      : unusableError(`permission denied: the service cannot open ${target}`);
  });
}

async function isInsideRoots(roots: readonly string[], real: string): Promise<boolean> {
  for (const root of roots) if (isWithin(real, await realpath(root).catch(() => root))) return true;
  return false;
}

async function requireReadable(target: string, real: string): Promise<string> {
  const info = await lstat(real).catch(() => null);
  if (info === null || !(info.isDirectory() || info.isFile()))
    throw unusableError(`${target} is neither a folder nor a file`);
  const needed = info.isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK;
  await access(real, needed).catch(() => {
    throw unusableError(`permission denied: the service cannot read ${target}`);
  });
  return target;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function folderNotAllowed({ roots }: SourceAccess): AssayError {
  const add = 'start it with `assay serve --root DIR`, or add DIR to ASSAY_SOURCE_ROOTS';
  if (roots.length === 0)
    return pathError(
      'source_not_allowed',
      'no folders are allowed as sources',
      `to allow a folder, ${add}; or upload the recordings`,
      {
        allowed_roots: [],
      },
    );
  return pathError(
    'source_not_allowed',
    `the path is outside of the allowed folders: ${roots.join(', ')}`,
    `choose a folder inside these, or allow another: ${add}`,
    { allowed_roots: [...roots] },
  );
}

function privateFolderError(folder: string): AssayError {
  return pathError(
    'source_not_allowed',
    `it contains ${folder}, where the service stores its own data`,
    'choose another folder, or move the recordings out of it',
  );
}

function unusableError(message: string): AssayError {
  return pathError(
    'invalid_request',
    message,
    'correct the path, or give the service’s user read permission',
  );
}

function pathError(
  code: ErrorCode,
  message: string,
  advice: string,
  more: { readonly allowed_roots?: string[] } = {},
): AssayError {
  return new AssayError(code, message, {
    advice,
    details: { ...more, errors: [{ pointer: '/body/path', message }] },
  });
}

/**
 * Returns the normalised prefix if bucket and prefix lie under an allowed one and do not overlap the service's own
 * blobs. Throws `source_not_allowed`.
 */
export function requireAllowedPrefix(
  allowed: SourceAccess,
  own: BlobLocation,
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
): string {
  const normalised = prefix.replace(/^\/+/, '');
  const target = `${bucket}/${normalised}`;
  if (!allowed.buckets.some((root) => coversPrefix(root, target))) throw prefixNotAllowed(allowed);
  if (
    own.kind === 's3' &&
    own.bucket === bucket &&
    (own.prefix.startsWith(normalised) || normalised.startsWith(own.prefix))
  )
    throw bucketError(
      'it contains the location where the service stores its own data',
      'choose another prefix',
    );
  return normalised;
}

function coversPrefix(root: string, target: string): boolean {
  const below = root.endsWith('/') ? root : `${root}/`;
  return target.startsWith(below) || `${target}/` === below;
}

function prefixNotAllowed({ buckets }: SourceAccess): AssayError {
  const add = 'add BUCKET or BUCKET/PREFIX to ASSAY_SOURCE_BUCKETS and restart the service';
  const message =
    buckets.length === 0
      ? 'no buckets are allowed as sources'
      : `the prefix is outside of the allowed buckets: ${buckets.join(', ')}`;
  const advice =
    buckets.length === 0
      ? `to allow a bucket, ${add}`
      : `choose a prefix inside these, or allow another: ${add}`;
  return bucketError(message, advice, { allowed_buckets: [...buckets] });
}

function bucketError(
  message: string,
  advice: string,
  more: { readonly allowed_buckets?: string[] } = {},
): AssayError {
  return new AssayError('source_not_allowed', message, {
    advice,
    details: { ...more, errors: [{ pointer: '/body/bucket', message }] },
  });
}
