import { searchProject } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('search_episodes');

export const searchEpisodesTool = defineTool({
  id: 'search_episodes',
  title: 'Search episodes',
  description:
    'Finds a project’s episodes by filters (decision, flag, task, robot, object, outcome, tags, score, duration) and ranks what passes by words or by likeness to an episode. coverage says how many could be ranked.',
  effect: 'read',
  operation,
  input: operation,
  run: async (store, call, input) => {
    const { items, ...answer } = await searchProject(store, call, input);
    return {
      ...answer,
      items: items.map(({ episode, ...hit }) => {
        const { id, name, decision, score, review_decision, flags, tags } = episode;
        const { kind, task, robot, outcome, duration_s } = episode;
        return {
          ...hit,
          episode: {
            ...{ id, name, decision, score, review_decision, flags, tags },
            ...{ kind, task, robot, outcome, duration_s },
          },
        };
      }),
    };
  },
});
