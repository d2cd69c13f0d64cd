/** Entries that every bundle has beside its receipts. */
export const bundleNames = {
  manifest: 'manifest.json',
  report: 'report.json',
  page: 'report.html',
  policy: 'policy.json',
  key: 'public-key.pem',
  statement: 'statement.intoto.json',
} as const;

/** Name of an episode's receipt in a bundle: its content hash, so that no name of an episode reaches a path. */
export const receiptName = (content_hash: string): string => `receipts/${content_hash}.json`;

/** What a bundle may hold; everything else is refused, media first of all. */
const own: ReadonlySet<string> = new Set(Object.values(bundleNames));
const receipt = /^receipts\/[0-9a-f]{64}\.json$/;

export const isReceiptName = (path: string): boolean => receipt.test(path);
export const mayBeInBundle = (path: string): boolean => own.has(path) || isReceiptName(path);

/** Entries without which nothing can be verified. */
export const requiredNames: readonly string[] = [
  bundleNames.manifest,
  bundleNames.report,
  bundleNames.policy,
  bundleNames.key,
  bundleNames.statement,
];

/** IANA media type of an entry. */
export function mediaTypeOf(path: string): string {
  if (path.endsWith('.html')) return 'text/html';
  if (path.endsWith('.pem')) return 'application/x-pem-file';
  return 'application/json';
}
