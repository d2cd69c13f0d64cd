import type { BundleManifest } from '#core/api';
import type { ByteReader } from '#io/archives';
import { verifyReceipt } from '#quality/readiness/documents';
import { type BundleEntries, checkSignature, readEntries, type TrustedKey } from './check-signature.ts';
import { type HashedEntry, parseManifest } from './manifest.ts';
import { bundleNames, isReceiptName, mayBeInBundle, requiredNames } from './names.ts';

export interface VerifyBundleOptions {
  /** Absent: the key in the bundle, which says only that nothing was changed since somebody with that key signed. */
  readonly trusted?: TrustedKey;
  /** The project that the bundle must be of. */
  readonly project_id?: string;
  readonly signal?: AbortSignal;
}

export interface BundleVerification {
  readonly ok: boolean;
  /** What speaks against the bundle, a sentence each. */
  readonly problems: readonly string[];
  readonly keyid: string | null;
  readonly manifest: BundleManifest | null;
  readonly entries: number;
  readonly receipts: number;
}

/**
 * Verifies a sealed bundle with nothing but its bytes: the archive's own form, the signature, every file against the
 * signed statement and the manifest, and every receipt as `verifyReceipt` does. Memory follows one document. Throws
 * `unreadable_input` for what is no zip, `verification_failed` for a zip that was built anew.
 */
export async function verifyBundle(
  zip: ByteReader,
  options: VerifyBundleOptions = {},
): Promise<BundleVerification> {
  const bundle = await readEntries(zip, options.signal);
  const signature = await checkSignature(bundle, options.trusted ?? null);
  const bytes = await bundle.read(bundleNames.manifest);
  const manifest = bytes === null ? 'it was removed' : parseManifest(bytes);
  const known = typeof manifest === 'string' ? null : manifest;
  const problems = [
    ...signature.problems,
    ...changesIn(bundle, signature.statement, known),
    ...(known === null ? [`${bundleNames.manifest} is no manifest of a bundle: ${manifest}`] : []),
    ...(known === null ? [] : otherProject(known, options.project_id)),
    ...bundle.problems,
    ...(await receiptProblems(bundle, options.signal)),
  ];
  return {
    ok: problems.length === 0,
    problems: [...new Set(problems)],
    keyid: signature.keyid,
    manifest: known,
    entries: bundle.entries.size,
    receipts: [...bundle.entries.keys()].filter(isReceiptName).length,
  };
}

type Signed = Awaited<ReturnType<typeof checkSignature>>['statement'];

/** Against what was signed; where that is not known, against the manifest, which is no proof but tells the place. */
function changesIn({ entries }: BundleEntries, statement: Signed, manifest: BundleManifest | null): string[] {
  const missing = requiredNames.filter((path) => !entries.has(path)).map((path) => `${path} was removed`);
  const listed = (manifest?.files ?? []).map(({ path, sha256 }) => [path, sha256] as const);
  const byManifest = compareEntries(new Map(listed), entries, {
    by: bundleNames.manifest,
    except: [bundleNames.manifest, bundleNames.statement],
  });
  if (statement === null) return [...missing, ...(manifest === null ? [] : byManifest)];
  const signed = statement.subject.map(({ name, digest }) => [name, digest.sha256] as const);
  const changes = compareEntries(new Map(signed), entries, {
    by: bundleNames.statement,
    except: [bundleNames.statement],
  });
  return [...missing, ...changes, ...(changes.length > 0 || manifest === null ? [] : byManifest)];
}

function otherProject({ project_id }: BundleManifest, wanted: string | undefined): string[] {
  if (wanted === undefined || project_id === wanted) return [];
  return [
    `the bundle is of ${project_id === null ? 'no project' : `the project ${project_id}`}, not of ${wanted}`,
  ];
}

async function receiptProblems({ entries, read }: BundleEntries, signal?: AbortSignal): Promise<string[]> {
  const problems: string[] = [];
  for (const path of entries.keys()) {
    if (!isReceiptName(path)) continue;
    signal?.throwIfAborted();
    const { problems: own, receipt } = verifyReceipt((await read(path)) ?? new Uint8Array());
    problems.push(...own.map((problem) => `${path}: ${problem}`));
    if (receipt !== null && path !== `receipts/${receipt.content_hash}.json`)
      problems.push(`${path} is not the name of the receipt in it: ${receipt.content_hash}`);
  }
  return problems;
}

/** What was sealed, by path: SHA-256. */
type Sealed = ReadonlyMap<string, string>;

/** What differs between sealed files and those that are there, a sentence each; `by` names who says what was sealed. */
function compareEntries(
  sealed: Sealed,
  entries: ReadonlyMap<string, HashedEntry>,
  { by, except }: { readonly by: string; readonly except: readonly string[] },
): string[] {
  const removed = [...sealed].filter(([path]) => !entries.has(path));
  const added = [...entries.values()].filter(({ path }) => !sealed.has(path) && !except.includes(path));
  const renamed = new Map(
    removed.flatMap(([path, sha256]) => {
      const now = added.find((entry) => entry.sha256 === sha256);
      return now === undefined ? [] : [[path, now.path]];
    }),
  );
  const newNames = new Set(renamed.values());
  return [
    ...removed.map(([path]) => {
      const now = renamed.get(path);
      return now === undefined ? `${path} was removed` : `${path} was renamed to ${now}`;
    }),
    ...added.filter(({ path }) => !newNames.has(path)).map(({ path }) => wasAdded(path, by)),
    ...[...sealed].flatMap(([path, sha256]) => changed(path, sha256, entries.get(path), by)),
  ];
}

const wasAdded = (path: string, by: string): string =>
  mayBeInBundle(path)
    ? `${path} was added: ${by} does not name it`
    : `${path} was added, and may not be in a bundle: it holds evidence, no media`;

const changed = (path: string, sealed: string, entry: HashedEntry | undefined, by: string): string[] =>
  entry === undefined || entry.sha256 === sealed
    ? []
    : [`${path} was changed: its SHA-256 is ${entry.sha256}, ${by} says ${sealed}`];
