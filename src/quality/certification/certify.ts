import type { CertificationPolicy, CertificationReport } from '#core/api';
import { Certifier } from './certifier.ts';
import type { EpisodeEvidence } from './metric.ts';

/**
 * Certifies episodes under a policy. Pure: the same policy and evidence give the same bytes. `project_id` null: no
 * project.
 */
export function certify(
  policy: CertificationPolicy,
  episodes: Iterable<EpisodeEvidence>,
  project_id: string | null = null,
): CertificationReport {
  const certifier = new Certifier(policy, project_id);
  for (const evidence of episodes) certifier.add(evidence);
  return certifier.finish();
}
