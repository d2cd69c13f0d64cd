import { access, constants, lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AssayError, type ErrorCode } from '#core';
import type { SourceAccess } from '#io/sources';

/**
 * The absolute path of recordings on this machine, if it lies under an allowed root with every link followed, and
 * reaches nothing of the installation's own. Throws `source_not_allowed` in the same words whether or not something
 * lies outside, `invalid_request` for what is absent or closed inside.
 */
export async function allowedFolder(allowed: SourceAccess, path: string): Promise<string> {
  const wanted = resolve(path);
  const root = isAbsolute(path) ? await rootOf(allowed.roots, wanted) : null;
  if (root === null) throw notAllowed(allowed);
  let real = root.real;
  for (const name of relative(root.named, wanted)
    .split(sep)
    .filter((part) => part !== '')) {
    real = await step(allowed, real, name, wanted);
    if (!(await isInside(allowed.roots, real))) throw notAllowed(allowed);
  }
  for (const own of allowed.private_folders) {
    const folder = await realpath(own).catch(() => resolve(own));
    if (within(real, folder) || within(folder, real)) throw ownFolder(folder);
  }
  return demandReadable(wanted, real);
}

interface Root {
  /** As configured, or with its links followed: a path may be written either way. */
  readonly named: string;
  readonly real: string;
}

async function rootOf(roots: readonly string[], wanted: string): Promise<Root | null> {
  for (const named of roots) {
    const real = await realpath(named).catch(() => null);
    if (real === null) continue;
    if (within(wanted, named)) return { named, real };
    if (within(wanted, real)) return { named: real, real };
  }
  return null;
}

/** One name further. A link that leads nowhere is refused like one that leads out: which it is must not show. */
async function step(allowed: SourceAccess, folder: string, name: string, wanted: string): Promise<string> {
  const path = join(folder, name);
  const info = await lstat(path).catch(() => null);
  if (info === null) throw unusable(`there is no file or folder ${wanted}`);
  return realpath(path).catch(() => {
    throw info.isSymbolicLink()
      ? notAllowed(allowed)
      : unusable(`${wanted} may not be opened by the service`);
  });
}

async function isInside(roots: readonly string[], real: string): Promise<boolean> {
  for (const root of roots) if (within(real, await realpath(root).catch(() => root))) return true;
  return false;
}

async function demandReadable(wanted: string, real: string): Promise<string> {
  const info = await lstat(real).catch(() => null);
  if (info === null || !(info.isDirectory() || info.isFile()))
    throw unusable(`${wanted} is neither a folder nor a file`);
  const needed = info.isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK;
  await access(real, needed).catch(() => {
    throw unusable(`${wanted} may not be read by the service`);
  });
  return wanted;
}

function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function notAllowed({ roots }: SourceAccess): AssayError {
  const add = 'start it with `assay serve --root DIR`, or add DIR to ASSAY_SOURCE_ROOTS';
  if (roots.length === 0)
    return refusal(
      'source_not_allowed',
      'the service may read no folder at all',
      `to allow one, ${add}; or upload the recordings`,
      {
        allowed_roots: [],
      },
    );
  return refusal(
    'source_not_allowed',
    `the path lies outside of what the service may read: ${roots.join(', ')}`,
    `name a folder below these, or allow another: ${add}`,
    { allowed_roots: [...roots] },
  );
}

function ownFolder(folder: string): AssayError {
  return refusal(
    'source_not_allowed',
    `it reaches ${folder}, where the service keeps its own data`,
    'name a folder beside it, or move the recordings out of it',
  );
}

function unusable(message: string): AssayError {
  return refusal('invalid_request', message, 'correct the path, or let the service’s user read it');
}

function refusal(
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
