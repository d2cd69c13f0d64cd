import { z } from 'zod';
import { AssayError } from '#core';
import {
  type Call,
  getEpisode,
  getTargetReadiness,
  listFindings,
  summariseProject,
} from '#service/operations';
import type { Store } from '#store';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

interface EpisodePath {
  readonly project_id: string;
  readonly episode_id: string;
}

/** Why an episode was judged as it was, without where its files lie. Throws `not_found`. */
async function episodeEvidence(store: Store, call: Call, path: EpisodePath) {
  const episode = await getEpisode(store, call, path);
  if (episode.project_id !== path.project_id)
    throw new AssayError('not_found', 'the project has no such episode', {
      advice: 'search_episodes lists the project’s episodes',
    });
  const { id, name, kind, task, robot, outcome, duration_s, tags } = episode;
  const { decision, decision_reason, score, graded_fraction, review_decision } = episode;
  const { integrity, semantic, utility } = episode.views;
  return {
    ...{ id, name, kind, task, robot, outcome, duration_s, tags },
    ...{ decision, decision_reason, score, graded_fraction, review_decision },
    flags: episode.flag_details,
    views: { integrity, semantic, utility },
    findings: episode.findings,
    limits: episode.limits,
    receipt: episode.receipt,
  };
}

const operation = operationOf('summarise_project');
const { episode_id } = operationOf('get_episode').params.shape;
const mostFindings = 20;

export const getReadinessReportTool = defineTool({
  id: 'get_readiness_report',
  title: 'Get the readiness report',
  description:
    'Tells how fit a project’s data is: decisions, scores, most frequent flags, findings on the recordings as a whole, and whether the target’s requirements are met. With episode_id it tells why that episode was accepted, rejected or sent to review.',
  effect: 'read',
  operation,
  input: { params: operation.params, query: z.strictObject({ episode_id: episode_id.optional() }) },
  run: async (store, call, { project_id, episode_id }) => {
    if (episode_id !== undefined) return episodeEvidence(store, call, { project_id, episode_id });
    const [summary, findings, target] = await Promise.all([
      summariseProject(store, call, { project_id }),
      listFindings(store, call, { project_id, limit: mostFindings }),
      getTargetReadiness(store, call, { project_id }),
    ]);
    const { verdict, requirements, recommendation } = target;
    const policy = recommendation.status === 'recommended' ? recommendation.policy_class : null;
    return {
      summary,
      findings: findings.items,
      more_findings: findings.next_cursor !== null,
      target: { profile: target.target_profile, verdict, requirements, recommended_policy: policy },
    };
  },
});
