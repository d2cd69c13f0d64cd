import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AssayError, canonicalJson, canonicalParts, jsonMembers, messageOf, sha256OfParts } from '#core';
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
 * Compares the report of a bundle whose files match the signed statement with its hash, the policy, the manifest, its
 * decisions and the receipts; returns one sentence per difference, none if all match. Throws `limit_exceeded` for a
 * report of 2 GiB or more.
 */
export async function findReportProblems(bundle: BundleEntries, manifest: BundleManifest): Promise<string[]> {
  const policy = await readDocument(bundle, bundleNames.policy, (bytes) =>
    appliedPolicySchema.safeParse(JSON.parse(Buffer.from(bytes).toString())),
  );
  if (typeof policy === 'string') return [policy];
  const receipts = [...bundle.entries.keys()].filter(isReceiptName);
  try {
    let computed_hash = '';
    const report = await readDocument(bundle, bundleNames.report, (bytes) => {
      const parsed = parseReport(bytes);
      computed_hash = parsed.computed_hash;
      return statedReportSchema.safeParse(parsed.report);
    });
    if (typeof report === 'string') return [report];
    return [
      ...checkReportHash(report, computed_hash),
      ...checkPolicy(policy, manifest),
      ...checkDecisions(report, policy),
      ...checkManifest(report, manifest),
      ...checkReceipts(report, manifest, receipts),
    ];
  } catch (thrown) {
    // Text with half of a surrogate pair has no canonical JSON, and therefore no hash.
    if (!(thrown instanceof AssayError && thrown.code === 'internal')) throw thrown;
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
async function readDocument<Document>(
  { read }: BundleEntries,
  path: string,
  parse: (bytes: Uint8Array) => z.ZodSafeParseResult<Document>,
): Promise<Document | string> {
  const bytes = (await read(path)) ?? new Uint8Array();
  try {
    const parsed = parse(bytes);
    if (parsed.success) return parsed.data;
    const [{ path: place, message }] = parsed.error.issues;
    return `${path} cannot be recomputed: /${place.map(String).join('/')}: ${message}`;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return `${path} is not valid JSON`;
  }
}

interface ParsedReport {
  /** The report; decisions have only the members that it is recomputed from. */
  readonly report: unknown;
  /** SHA-256 of the canonical JSON of all members except `content_hash`, if they are in canonical order. */
  readonly computed_hash: string;
}

/** Parses a report metric by metric, since a large one fits neither into one string nor, with all its inputs, into memory. */
function parseReport(bytes: Uint8Array): ParsedReport {
  const report = new Map<string, unknown>();
  const hash = createHash('sha256');
  let opening = '{';
  for (const { name, isList, values } of jsonMembers(bytes)) {
    const kept: unknown[] = [];
    const add = (text: string) => name !== 'content_hash' && hash.update(text);
    add(`${opening}${canonicalJson(name)}:${isList ? '[' : ''}`);
    for (const value of values) {
      add(`${kept.length === 0 ? '' : ','}${canonicalJson(value)}`);
      kept.push(name === 'metrics' ? withoutInputs(value) : value);
    }
    if (isList) add(']');
    if (name !== 'content_hash') opening = ',';
    report.set(name, isList ? kept : kept[0]);
  }
  hash.update('}');
  return { report: Object.fromEntries(report), computed_hash: hash.digest('hex') };
}

/** Returns a metric whose decisions have only the members that a report is recomputed from. */
function withoutInputs(metric: unknown): unknown {
  const parsed = z.looseObject({ decisions: z.array(decisionMembers) }).safeParse(metric);
  return parsed.success ? parsed.data : metric;
}

const decisionMembers = z.object({
  episode: z.unknown(),
  applicability: z.unknown(),
  verdict: z.unknown(),
  observed: z.unknown(),
  confidence: z.unknown(),
});

function checkReportHash({ content_hash }: StatedReport, computed: string): string[] {
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
