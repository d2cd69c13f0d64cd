/** Names of the entries of a bundle other than its receipts. */
export const bundleNames = {
  manifest: 'manifest.json',
  report: 'report.json',
  page: 'report.html',
  policy: 'policy.json',
  key: 'public-key.pem',
  statement: 'statement.intoto.json',
} as const;

/**
 * Returns the entry name of a receipt, `receipts/<content hash>.json`, so that no episode name becomes part of a
 * path.
 */
export const receiptName = (content_hash: string): string => `receipts/${content_hash}.json`;

/** Names that a bundle may hold besides receipts; all other entries are refused, in particular media. */
const fixedNames: ReadonlySet<string> = new Set(Object.values(bundleNames));
const receiptNamePattern = /^receipts\/[0-9a-f]{64}\.json$/;

/** Returns true if the path is the name of a receipt. */
export const isReceiptName = (path: string): boolean => receiptNamePattern.test(path);
/** Returns true if a bundle may hold an entry of that path. */
export const isAllowedInBundle = (path: string): boolean => fixedNames.has(path) || isReceiptName(path);

/** Entries that verification requires. */
export const requiredNames: readonly string[] = [
  bundleNames.manifest,
  bundleNames.report,
  bundleNames.policy,
  bundleNames.key,
  bundleNames.statement,
];

/** Returns the IANA media type of an entry by its extension; JSON unless it is HTML or PEM. */
export function mediaTypeOf(path: string): string {
  if (path.endsWith('.html')) return 'text/html';
  if (path.endsWith('.pem')) return 'application/x-pem-file';
  return 'application/json';
}
