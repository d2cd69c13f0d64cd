import { z } from 'zod';
import { AssayError, canonicalJson, limits, parseJson, sha256 } from '#core';
import type {
  CertificationMetricId,
  CertificationPolicy,
  CertificationPolicyInput,
  CertificationReport,
  CertificationSummary,
  CertificationVerdict,
  DryRun,
  LayerId,
  ListedDecision,
} from '#core/api';
import { certifyEvidence, exportFileKey } from '#engine';
import type { DatasetFacts } from '#formats';
import { reportSchemaId, sealPolicy } from '#quality/certification';
import { bundleNames } from '#quality/certification/bundle';
import { engine } from '#quality/readiness';
import { evidenceRows, exportRows, projectRows, type Store } from '#store';
import { getAnnotationSettings } from '../annotation/annotation-settings.ts';
import { LruCache } from '../caches.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { readReceiptBytes } from '../episodes/load-episode.ts';
import { badCursor, decodeCursor, encodeCursor, type Page, pageOfRows } from '../page.ts';
import { noProject } from '../projects/views.ts';
import { policyInEffect } from './policies.ts';

const maxCache_bytes = 64 * 1024 * 1024;
const reportCache = new LruCache<Uint8Array>(maxCache_bytes, (json) => json.length);

interface ReportQuery {
  readonly project_id: string;
  readonly policy_version?: number | undefined;
}

/**
 * Returns the certification report of a project's episodes as canonical JSON, complete or without decisions and episodes,
 * with a hash of its inputs. Throws `not_found`, `limit_exceeded`, `storage_unavailable`.
 */
export async function getCertificationReport(
  store: Store,
  call: Call,
  { detail = 'full', ...query }: ReportQuery & { readonly detail?: 'full' | 'summary' },
): Promise<{ readonly json: Uint8Array; readonly etag: string }> {
  const found = await findReport(store, call, query);
  if (detail === 'full') return { json: await found.read(), etag: found.input_hash };
  const json = Buffer.from(canonicalJson(summariseReport(await parseReport(found))));
  return { json, etag: `${found.input_hash}-summary` };
}

/** Returns a report without its decisions and episodes. */
function summariseReport({
  schema: _,
  episodes,
  metrics,
  ...report
}: CertificationReport): CertificationSummary {
  const episode_counts = { certified: 0, review_required: 0, not_ready: 0, not_assessable: 0 };
  for (const { verdict } of episodes) episode_counts[verdict]++;
  return {
    ...report,
    schema: 'assay/certification-report-summary/v1',
    episode_counts,
    metrics: metrics.map(({ decisions: _decisions, ...metric }) => metric),
  };
}

/** Filters and page of the decisions of a report. */
interface DecisionQuery extends ReportQuery {
  readonly metric?: CertificationMetricId | undefined;
  readonly verdict?: CertificationVerdict | undefined;
  /** Id of an episode in the report. */
  readonly episode?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Lists the decisions of a project's certification report, by metric and then by episode. Throws `not_found`,
 * `invalid_request` for a cursor of another list or of a report that has changed since, `limit_exceeded`,
 * `storage_unavailable`.
 */
export async function listCertificationDecisions(
  store: Store,
  call: Call,
  { metric, verdict, episode, limit, cursor, ...query }: DecisionQuery,
): Promise<Page<ListedDecision>> {
  const found = await findReport(store, call, query);
  const from = parseDecisionCursor(found.input_hash, cursor);
  const rows: PlacedDecision[] = [];
  for (const placed of placedDecisions(await parseReport(found), from)) {
    const { decision } = placed;
    if (metric !== undefined && decision.metric !== metric) continue;
    if (verdict !== undefined && decision.verdict !== verdict) continue;
    if (episode !== undefined && decision.episode !== episode) continue;
    if (rows.push(placed) > limit) break;
  }
  const cursorOf = ({ place }: PlacedDecision) =>
    encodeCursor([found.input_hash.slice(0, hashLength), place + 1]);
  return pageOfRows(rows, limit, cursorOf, ({ decision }) => decision);
}

/** Decision with its place among all decisions of its report. */
interface PlacedDecision {
  readonly place: number;
  readonly decision: ListedDecision;
}

/** Yields the decisions of a report from a place on. */
function* placedDecisions(
  { metrics, episodes }: CertificationReport,
  from: number,
): Generator<PlacedDecision> {
  const count = metrics.length * episodes.length;
  for (let place = from; place < count; place++) {
    const { metric, decisions } = metrics[Math.floor(place / episodes.length)];
    yield { place, decision: { ...decisions[place % episodes.length], metric } };
  }
}

/** Characters of the input hash in a cursor. */
const hashLength = 16;
const decisionCursorShape = z.tuple([z.string(), z.int().positive()]);

/**
 * Returns the position after the last decision of the previous page; 0 if no cursor was sent. Throws `invalid_request` for a
 * cursor of another list or of a changed report.
 */
function parseDecisionCursor(input_hash: string, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const parsed = decisionCursorShape.safeParse(decodeCursor(cursor));
  if (!parsed.success) throw badCursor('must be a cursor returned by this list');
  const [hash, place] = parsed.data;
  if (hash !== input_hash.slice(0, hashLength))
    throw badCursor('the report has changed since the previous page; start again without a cursor');
  return place;
}

/** A project's report, with the hash of its inputs and the key under which it is cached. */
interface FoundReport {
  readonly input_hash: string;
  readonly key: string;
  /** Returns it as canonical JSON: from the cache, from a bundle with the same inputs, or computed anew. */
  readonly read: () => Promise<Uint8Array>;
}

async function findReport(
  store: Store,
  call: Call,
  { project_id, policy_version }: ReportQuery,
): Promise<FoundReport> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const policy = await policyInEffect(scope, project, policy_version);
  const state = await readEvidenceState(store, call, project_id);
  const input_hash = hashReportInputs(policy, state);
  const key = `${scope.tenant_id} ${project_id} ${input_hash}`;
  const read = async () => {
    const sealed = reportCache.get(key) ?? (await readSealedReport(store, call, project_id, input_hash));
    if (sealed !== null) return sealed;
    const report = await computeReport(store, call, project_id, policy, state);
    const json = Buffer.from(canonicalJson(report));
    reportCache.put(key, json);
    return json;
  };
  return { input_hash, key, read };
}

/** Largest report that is parsed within a request. */
const maxReport_bytes = 256 * 1024 * 1024;
/** Parsed reports, so that not every page of decisions reads and parses its report again. It holds the largest one. */
const parsedCache = new LruCache<{ readonly report: CertificationReport; readonly bytes: number }>(
  maxReport_bytes,
  ({ bytes }) => bytes,
);

/** Reads and parses a report, or returns it from the cache. Throws as `read`, and `limit_exceeded` for more than 256 MiB. */
async function parseReport({ key, read }: FoundReport): Promise<CertificationReport> {
  const cached = parsedCache.get(key);
  if (cached !== undefined) return cached.report;
  const json = await read();
  if (json.length > maxReport_bytes)
    throw new AssayError(
      'limit_exceeded',
      `the report has ${json.length} bytes; at most ${maxReport_bytes} can be summarised or listed`,
      {
        advice: 'download the complete report with GET /v1/projects/{project_id}/certification/report',
        details: { bytes: json.length, limit: maxReport_bytes },
      },
    );
  const report: CertificationReport = JSON.parse(Buffer.from(json).toString());
  parsedCache.put(key, { report, bytes: json.length });
  return report;
}

/** Reads the report of the bundle with this input hash; null if there is none or it has no files yet. */
async function readSealedReport(
  store: Store,
  call: Call,
  project_id: string,
  input_hash: string,
): Promise<Uint8Array | null> {
  const scope = scopeOf(store, call);
  const id = await evidenceRows.findBundle(store.database, { ...scope, project_id }, input_hash);
  const row = id === null ? null : await exportRows.getExport(scope, id);
  if (row === null || row.blob_prefix === null) return null;
  return store.blobs.get(exportFileKey(row.blob_prefix, bundleNames.report));
}

/** Changed episodes in one answer. */
const maxListedChanges = 500;

/**
 * Compares the verdicts under the policy in effect with those under an unsaved policy, which is not saved, and lists up to 500
 * changed episodes. Throws `not_found`, `invalid_request`, `limit_exceeded`.
 */
export async function dryRunCertificationPolicy(
  store: Store,
  call: Call,
  { project_id, ...input }: CertificationPolicyInput & { readonly project_id: string },
): Promise<DryRun> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const tried = sealPolicy(input, null);
  const state = await readEvidenceState(store, call, project_id);
  const before = await computeReport(
    store,
    call,
    project_id,
    await policyInEffect(scope, project, undefined),
    state,
  );
  const after = await computeReport(store, call, project_id, tried, state);
  const changes = before.episodes.flatMap(({ id, verdict }, at) => {
    const then = after.episodes[at].verdict;
    return then === verdict ? [] : [{ episode: id, before: verdict, after: then }];
  });
  return {
    before: { verdict: before.verdict, coverage: before.coverage.share },
    after: { verdict: after.verdict, coverage: after.coverage.share },
    episodes: before.episodes.length,
    changed: changes.length,
    changes: changes.slice(0, maxListedChanges),
  };
}

const maxEpisodes = limits.requests.report_episodes.value;

/**
 * Computes the certification report of a project within the request. Throws `limit_exceeded` for more episodes than a
 * request may process.
 */
async function computeReport(
  store: Store,
  call: Call,
  project_id: string,
  policy: CertificationPolicy,
  { episodes, wanted }: EvidenceState,
): Promise<CertificationReport> {
  if (episodes > maxEpisodes)
    throw new AssayError(
      'limit_exceeded',
      `the project has ${episodes} episodes; at most ${maxEpisodes} can be certified within one request`,
      {
        advice:
          'create the report in the background with POST /v1/projects/{project_id}/certification/export, then get it with GET …/report',
        details: { episodes, limit: maxEpisodes },
      },
    );
  const of = { tenant_id: call.actor.tenant_id, project_id };
  const found = await evidenceRows.evidenceAsJson<DatasetFacts>(store.database, of);
  const evidence = {
    ...{ policy, project_id, wanted },
    episodes: parseJson(found.episodes),
    datasets: parseJson(found.datasets),
  };
  return certifyEvidence(evidence, { read: (row) => readReceiptBytes(store, row) });
}

/** Inputs of a project's certification report as they are now. */
interface EvidenceState {
  readonly episodes: number;
  /** Hash over receipts, annotation layers and datasets. */
  readonly evidence_hash: string;
  /** Applicable annotation layers that run within every run. */
  readonly wanted: readonly LayerId[];
}

/**
 * Returns the number of a project's episodes, a hash over their receipts, annotations and datasets, and the layers that its
 * report requires.
 */
export async function readEvidenceState(
  store: Store,
  call: Call,
  project_id: string,
): Promise<EvidenceState> {
  const { tenant_id } = call.actor;
  const { episodes, hash } = await evidenceRows.evidenceState(store.database, { tenant_id, project_id });
  const { layers } = await getAnnotationSettings(store, call, { project_id });
  const wanted = layers.flatMap(({ id, mode, applicable }) => (mode === 'in_run' && applicable ? [id] : []));
  return { episodes, evidence_hash: hash, wanted };
}

/** Returns the hash of all inputs of a report; equal hashes mean byte-identical reports. */
export const hashReportInputs = (
  { policy_hash, version }: Pick<CertificationPolicy, 'policy_hash' | 'version'>,
  { evidence_hash, wanted }: Pick<EvidenceState, 'evidence_hash' | 'wanted'>,
): string =>
  sha256(
    canonicalJson({
      ...{ report: reportSchemaId, engine, policy_hash, version, evidence_hash },
      wanted: [...wanted],
    }),
  );
