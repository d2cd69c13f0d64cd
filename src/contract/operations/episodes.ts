import { z } from 'zod';
import { episodeQuery, episodeSummarySchema } from '../episodes.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { idSchema, pageOf } from '../primitives.ts';

const tag = 'episodes';
const project = z.object({ project_id: idSchema('prj') });

/** Episodes, what was found of them, and what people say to it. */
export const episodeOperations = [
  defineOperation({
    id: 'list_episodes',
    method: 'GET',
    path: '/v1/projects/{project_id}/episodes',
    tag,
    summary: 'Lists a project’s episodes by filters, in an order',
    description:
      'Several values of a filter are alternatives: `decision=review,reject`, or the name repeated (`task` and `robot`, which may hold commas, only so). Different filters must all hold. An episode without a score counts as worse than any score: it comes last by `-score`, first by `score`, and passes neither `min_score` nor `max_score`.',
    role: 'viewer',
    params: project,
    query: episodeQuery,
    success: { status: 200, schema: pageOf(episodeSummarySchema) },
    errors: ['not_found'],
  }),
] as const satisfies readonly Operation[];
