import { AssayError, canonicalJson, limits, parseJson, sha256 } from '#core';
import type {
  CertificationPolicy,
  CertificationPolicyInput,
  CertificationReport,
  DryRun,
  LayerId,
} from '#core/api';
import { certifyEvidence, exportFileKey } from '#engine';
import type { DatasetFacts } from '#formats';
import { sealPolicy } from '#quality/certification';
import { bundleNames } from '#quality/certification/bundle';
import { engine } from '#quality/readiness';
import { evidenceRows, exportRows, projectRows, type Store } from '#store';
import { getAnnotationSettings } from '../annotation/annotation-settings.ts';
import { LruCache } from '../caches.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { readReceiptBytes } from '../episodes/load-episode.ts';
import { noProject } from '../projects/views.ts';
import { policyInEffect } from './policies.ts';

const maxCache_bytes = 64 * 1024 * 1024;
const reportCache = new LruCache<Uint8Array>(maxCache_bytes, (json) => json.length);

/**
 * Returns the certification report of a project's episodes as canonical JSON, with the hash of its inputs. The report
 * is read from the cache or from a bundle with the same inputs if there is one. Throws `not_found`, `limit_exceeded`,
 * `storage_unavailable`.
 */
export async function getCertificationReport(
  store: Store,
  call: Call,
  {
    project_id,
    policy_version,
  }: { readonly project_id: string; readonly policy_version?: number | undefined },
): Promise<{ readonly json: Uint8Array; readonly input_hash: string }> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const policy = await policyInEffect(scope, project, policy_version);
  const state = await readEvidenceState(store, call, project_id);
  const input_hash = hashReportInputs(policy, state);
  const key = `${scope.tenant_id} ${project_id} ${input_hash}`;
  const sealed = reportCache.get(key) ?? (await readSealedReport(store, call, project_id, input_hash));
  if (sealed !== null) return { json: sealed, input_hash };
  const report = await computeReport(store, call, project_id, policy, state);
  const json = Buffer.from(canonicalJson(report));
  reportCache.put(key, json);
  return { json, input_hash };
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
 * Compares the verdicts under the policy in effect with those under an unsaved policy. Throws `not_found`,
 * `invalid_request`, `limit_exceeded`.
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

/** Reads the inputs of a project's certification report. */
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
): string => sha256(canonicalJson({ engine, policy_hash, version, evidence_hash, wanted: [...wanted] }));
