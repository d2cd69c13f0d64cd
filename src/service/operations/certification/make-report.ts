import { AssayError, limits, parseJson } from '#core';
import type { CertificationPolicy, CertificationReport } from '#core/api';
import { certifyEvidence } from '#engine';
import type { DatasetFacts } from '#formats';
import { evidenceRows, type Store } from '#store';
import type { Call } from '../call.ts';
import { receiptBytes } from '../episodes/read-receipt.ts';
import type { EvidenceState } from './project-evidence.ts';

const mostEpisodes = limits.requests.report_episodes.value;

/**
 * Holds a project's episodes against a policy while a request waits. Throws `limit_exceeded` for more episodes than a
 * request may wait for.
 */
export async function makeReport(
  store: Store,
  call: Call,
  project_id: string,
  policy: CertificationPolicy,
  { episodes, wanted }: EvidenceState,
): Promise<CertificationReport> {
  if (episodes > mostEpisodes)
    throw new AssayError(
      'limit_exceeded',
      `the project has ${episodes} episodes, and ${mostEpisodes} are certified while a request waits`,
      {
        advice:
          'POST /v1/projects/{project_id}/certification/export makes the report in the background; GET …/report reads it from there',
        details: { episodes, limit: mostEpisodes },
      },
    );
  const of = { tenant_id: call.actor.tenant_id, project_id };
  const found = await evidenceRows.evidenceAsJson<DatasetFacts>(store.database, of);
  const evidence = {
    ...{ policy, project_id, wanted },
    episodes: parseJson(found.episodes),
    datasets: parseJson(found.datasets),
  };
  return certifyEvidence(evidence, { read: (row) => receiptBytes(store, row) });
}
