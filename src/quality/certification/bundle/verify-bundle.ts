import type { BundleManifest } from '#core/api';
import type { ByteReader } from '#io/archives';
import { verifyReceipt } from '#quality/readiness/documents';
import { findReportProblems } from './check-report.ts';
import { type BundleEntries, checkSignature, readEntries, type TrustedKey } from './check-signature.ts';
import { type HashedEntry, parseManifest } from './manifest.ts';
import { bundleNames, isAllowedInBundle, isReceiptName, requiredNames } from './names.ts';

/** Options of `verifyBundle`. */
export interface VerifyBundleOptions {
  /** Defaults to the key in the bundle, which proves only that nothing changed since the owner of that key signed. */
  readonly trusted?: TrustedKey;
  /** Id of the project that the bundle must belong to. Defaults to any. */
  readonly project_id?: string;
  readonly signal?: AbortSignal;
}

/** Result of verifying a bundle. */
export interface BundleVerification {
  readonly ok: boolean;
  /** Problems found, one sentence each; empty if `ok`. */
  readonly problems: readonly string[];
  readonly keyid: string | null;
  readonly manifest: BundleManifest | null;
  readonly entries: number;
  readonly receipts: number;
}

/**
 * Verifies archive, signature, files and receipts of a sealed bundle and, if these are valid, recomputes its report;
 * returns every problem found, and throws only if the zip cannot be read. Files are compared with the signed
 * statement and the manifest, receipts are checked as `verifyReceipt` does, and the report is recomputed from its own
 * decisions and the policy. Keeps at most one document in memory. Throws `unreadable_input` if it is not a zip,
 * `verification_failed` if the zip was repacked, `limit_exceeded` if its report has 2 GiB or more.
 */
export async function verifyBundle(
  zip: ByteReader,
  options: VerifyBundleOptions = {},
): Promise<BundleVerification> {
  const bundle = await readEntries(zip, options.signal);
  const signature = await checkSignature(bundle, options.trusted ?? null);
  const bytes = await bundle.read(bundleNames.manifest);
  const manifest = bytes === null ? 'file missing' : parseManifest(bytes);
  const parsedManifest = typeof manifest === 'string' ? null : manifest;
  const problems = [
    ...signature.problems,
    ...findChanges(bundle, signature.statement, parsedManifest),
    ...(parsedManifest === null
      ? [`${bundleNames.manifest} is not a valid bundle manifest: ${manifest}`]
      : []),
    ...(parsedManifest === null ? [] : checkProject(parsedManifest, options.project_id)),
    ...bundle.problems,
    ...(await findReceiptProblems(bundle, options.signal)),
  ];
  if (problems.length === 0 && parsedManifest !== null)
    problems.push(...(await findReportProblems(bundle, parsedManifest)));
  return {
    ok: problems.length === 0,
    problems: [...new Set(problems)],
    keyid: signature.keyid,
    manifest: parsedManifest,
    entries: bundle.entries.size,
    receipts: [...bundle.entries.keys()].filter(isReceiptName).length,
  };
}

type SignedStatement = Awaited<ReturnType<typeof checkSignature>>['statement'];

/**
 * Compares the entries with the signed statement, or, without one, with the manifest: no proof, but it locates
 * changes.
 */
function findChanges(
  { entries }: BundleEntries,
  statement: SignedStatement,
  manifest: BundleManifest | null,
): string[] {
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

function checkProject({ project_id }: BundleManifest, expected: string | undefined): string[] {
  if (expected === undefined || project_id === expected) return [];
  return [
    `the bundle belongs to ${project_id === null ? 'no project' : `project ${project_id}`}, not to ${expected}`,
  ];
}

async function findReceiptProblems(
  { entries, read }: BundleEntries,
  signal?: AbortSignal,
): Promise<string[]> {
  const problems: string[] = [];
  for (const path of entries.keys()) {
    if (!isReceiptName(path)) continue;
    signal?.throwIfAborted();
    const { problems: own, receipt } = verifyReceipt((await read(path)) ?? new Uint8Array());
    problems.push(...own.map((problem) => `${path}: ${problem}`));
    if (receipt !== null && path !== `receipts/${receipt.content_hash}.json`)
      problems.push(`${path} does not match the hash of its receipt: ${receipt.content_hash}`);
  }
  return problems;
}

/** SHA-256 of the sealed files, by path. */
type SealedHashes = ReadonlyMap<string, string>;

/**
 * Describes each difference between the sealed files and the entries. `by`: file that lists the sealed hashes, for
 * messages.
 */
function compareEntries(
  sealed: SealedHashes,
  entries: ReadonlyMap<string, HashedEntry>,
  { by, except }: { readonly by: string; readonly except: readonly string[] },
): string[] {
  const removed = [...sealed].filter(([path]) => !entries.has(path));
  const added = [...entries.values()].filter(({ path }) => !sealed.has(path) && !except.includes(path));
  const renamed = new Map(
    removed.flatMap(([path, sha256]) => {
      const match = added.find((entry) => entry.sha256 === sha256);
      return match === undefined ? [] : [[path, match.path]];
    }),
  );
  const newNames = new Set(renamed.values());
  return [
    ...removed.map(([path]) => {
      const newPath = renamed.get(path);
      return newPath === undefined ? `${path} was removed` : `${path} was renamed to ${newPath}`;
    }),
    ...added.filter(({ path }) => !newNames.has(path)).map(({ path }) => describeAddition(path, by)),
    ...[...sealed].flatMap(([path, sha256]) => describeChange(path, sha256, entries.get(path), by)),
  ];
}

const describeAddition = (path: string, by: string): string =>
  isAllowedInBundle(path)
    ? `${path} was added: it is not listed in ${by}`
    : `${path} was added and is not allowed: bundles contain evidence, not media`;

const describeChange = (
  path: string,
  sealed: string,
  entry: HashedEntry | undefined,
  by: string,
): string[] =>
  entry === undefined || entry.sha256 === sealed
    ? []
    : [`${path} was changed: its SHA-256 is ${entry.sha256}, expected ${sealed} (${by})`];
