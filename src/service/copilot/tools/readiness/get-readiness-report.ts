import { z } from 'zod';
import { getTargetReadiness, listFindings, summariseProject } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';
import { episodeEvidence } from './episode-evidence.ts';

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
