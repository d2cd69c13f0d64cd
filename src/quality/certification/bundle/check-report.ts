import type { z } from 'zod';
import { canonicalParts, messageOf, sha256OfParts } from '#core';
import type { BundleManifest } from '#core/api';
import {
  type AppliedPolicy,
  appliedPolicySchema,
  findReportFault,
  type StatedReport,
  statedReportSchema,
} from '../recompute.ts';
import type { BundleEntries } from './check-signature.ts';
import { bundleNames, isReceiptName, receiptName } from './names.ts';

/**
 * Compares the report of a bundle with everything that it depends on, and describes each difference in one sentence: its
 * content hash, the policy, the manifest, its own decisions, and the receipts. Call it for files that are as they were
 * sealed. Throws `limit_exceeded` for a report of more than 256 MiB.
 */
export async function findReportProblems(bundle: BundleEntries, manifest: BundleManifest): Promise<string[]> {
  const report = await readDocument(bundle, bundleNames.report, statedReportSchema);
  if (typeof report === 'string') return [report];
  const policy = await readDocument(bundle, bundleNames.policy, appliedPolicySchema);
  if (typeof policy === 'string') return [policy];
  const receipts = [...bundle.entries.keys()].filter(isReceiptName);
  try {
    return [
      ...checkReportHash(report),
      ...checkPolicy(policy, manifest),
      ...checkDecisions(report, policy),
      ...checkManifest(report, manifest),
      ...checkReceipts(report, manifest, receipts),
    ];
  } catch (thrown) {
    // Text with half of a surrogate pair has no canonical JSON, and therefore no hash.
    return [`${bundleNames.report} cannot be recomputed: ${messageOf(thrown)}`];
  }
}

function checkDecisions(report: StatedReport, policy: AppliedPolicy): string[] {
  const fault = findReportFault(report, policy);
  return fault === null
    ? []
    : [`${bundleNames.report} does not follow from its own decisions: ${fault.message}`];
}

/** Reads a JSON entry; returns a problem instead if it does not fit the schema. */
async function readDocument<Schema extends z.ZodType>(
  { read }: BundleEntries,
  path: string,
  schema: Schema,
): Promise<z.infer<Schema> | string> {
  const bytes = (await read(path)) ?? new Uint8Array();
  try {
    const parsed = schema.safeParse(JSON.parse(Buffer.from(bytes).toString()));
    if (parsed.success) return parsed.data;
    const [{ path: place, message }] = parsed.error.issues;
    return `${path} cannot be recomputed: /${place.map(String).join('/')}: ${message}`;
  } catch {
    return `${path} is not valid JSON`;
  }
}

function checkReportHash({ content_hash, ...body }: StatedReport): string[] {
  const computed = sha256OfParts(canonicalParts(body));
  return computed === content_hash
    ? []
    : [
        `${bundleNames.report} states the content hash ${content_hash}, but its content hashes to ${computed}`,
      ];
}

function checkPolicy(
  { schema, target, metrics, policy_hash }: AppliedPolicy,
  manifest: BundleManifest,
): string[] {
  const computed = sha256OfParts(canonicalParts({ schema, target, metrics }));
  if (computed !== policy_hash)
    return [`${bundleNames.policy} states the hash ${policy_hash}, but its content hashes to ${computed}`];
  return computed === manifest.policy.hash
    ? []
    : [
        `${bundleNames.manifest} names the policy ${manifest.policy.hash}, but ${bundleNames.policy} is ${computed}`,
      ];
}

function checkManifest(
  { project_id, verdict, coverage }: StatedReport,
  { report, ...manifest }: BundleManifest,
): string[] {
  const pairs = [
    ['project', manifest.project_id, project_id],
    ['verdict', report.verdict, verdict],
    ['coverage', report.coverage, coverage.share],
  ] as const;
  return pairs
    .filter(([, stated, own]) => stated !== own)
    .map(
      ([name, stated, own]) =>
        `${bundleNames.manifest} states the ${name} ${stated}, but ${bundleNames.report} states ${own}`,
    );
}

/** Compares the receipts of the bundle with those that the report names. An imported report has none. */
function checkReceipts(
  { episodes }: StatedReport,
  { origin }: BundleManifest,
  paths: readonly string[],
): string[] {
  if (origin === 'local_report_import')
    return paths.map((path) => `${path}: an imported report has no receipts`);
  const present = new Set(paths);
  const named = new Set(episodes.map(({ receipt }) => receiptName(receipt)));
  return [
    ...[...named]
      .filter((path) => !present.has(path))
      .map((path) => `${path} is missing: ${bundleNames.report} names it`),
    ...paths
      .filter((path) => !named.has(path))
      .map((path) => `${path} is not named by ${bundleNames.report}`),
  ];
}
