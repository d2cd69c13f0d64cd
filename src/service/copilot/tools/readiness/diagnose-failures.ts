import { z } from 'zod';
import { listEpisodes, listFailures, listFindings, listRuns, summariseProject } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('list_episodes');
const { limit } = operation.query.shape;
const notAccepted = ['reject', 'review'] as const;
const grave = ['blocking', 'error', 'warning'] as const;

export const diagnoseFailuresTool = defineTool({
  id: 'diagnose_failures',
  title: 'Diagnose failures',
  description:
    'Tells what went wrong in a project: the worst episodes that were rejected or sent to review, the flags that they share, findings on the recordings as a whole, runs that failed, and imported failures of a policy with their novelty.',
  effect: 'read',
  operation,
  input: { params: operation.params, query: z.strictObject({ limit }) },
  run: async (store, call, { project_id, limit }) => {
    const least = Math.min(limit, 20);
    const [episodes, summary, findings, runs, failures] = await Promise.all([
      listEpisodes(store, call, { project_id, decision: [...notAccepted], sort: 'score', limit }),
      summariseProject(store, call, { project_id, decision: [...notAccepted] }),
      listFindings(store, call, { project_id, severity: [...grave], limit: least }),
      listRuns(store, call, { project_id, status: 'failed', limit: least }),
      listFailures(store, call, { project_id, limit: least }),
    ]);
    return {
      episodes_not_accepted: summary.episodes,
      flags: summary.flags,
      worst_episodes: episodes.items.map(({ id, name, decision, score, flags, task }) => ({
        ...{ id, name, decision, score, flags, task },
      })),
      findings: findings.items,
      failed_runs: runs.items.map(({ id, source_id, stage, error }) => ({ id, source_id, stage, error })),
      policy_failures: failures.items,
    };
  },
});
