import {
  applyCuration,
  createSlice,
  getProject,
  listSlices,
  previewCuration,
  searchProject,
} from '#service/operations';
import { defineTool, operationOf } from './define-tool.ts';
import { formatCount } from './words.ts';

const searchEpisodesOperation = operationOf('search_episodes');

export const searchEpisodesTool = defineTool({
  id: 'search_episodes',
  title: 'Search episodes',
  description:
    'Finds a project’s episodes by filters (decision, flag, task, robot, object, outcome, tags, score, duration) and ranks them by text or by similarity to an episode. ranked_by.id says whether a text was compared by meaning or by words; set rank.match to words for names and numbers. coverage says how many could be ranked.',
  effect: 'read',
  operation: searchEpisodesOperation,
  input: searchEpisodesOperation,
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

const createSliceOperation = operationOf('create_slice');

export const createSliceTool = defineTool({
  id: 'create_slice',
  title: 'Create a slice',
  description:
    'Saves the current result of a search as a named, immutable slice. Try the query with search_episodes first.',
  effect: 'write',
  operation: createSliceOperation,
  input: createSliceOperation,
  run: createSlice,
});

const listSlicesOperation = operationOf('list_slices');

export const listSlicesTool = defineTool({
  id: 'list_slices',
  title: 'List slices',
  description:
    'Lists a project’s saved slices, newest first, with their query, number of episodes, and whether they are locked as an evaluation set.',
  effect: 'read',
  operation: listSlicesOperation,
  input: listSlicesOperation,
  run: listSlices,
});

const curateSubsetOperation = operationOf('apply_curation');

export const curateSubsetTool = defineTool({
  id: 'curate_subset',
  title: 'Curate a subset',
  description:
    'Runs curation strategies in order over a project’s episodes and stores which to train on, with the stage that dropped each of the others. Strategies are decision, score, flags, near_duplicates, balance and others; an unknown strategy returns an error with the list. Requires confirmation by a person.',
  effect: 'write',
  operation: curateSubsetOperation,
  input: curateSubsetOperation,
  run: applyCuration,
  confirmation: async (store, call, { name: _name, expected_plan_hash: _hash, ...input }) => {
    const [project, preview] = await Promise.all([
      getProject(store, call, input),
      previewCuration(store, call, input),
    ]);
    const { kept, dropped, stages, plan_hash } = preview;
    const drops = stages.map(({ strategy, dropped }) => `${strategy} drops ${dropped}`).join(', ');
    return {
      prompt: `Store a curation plan for the project “${project.name}”: it keeps ${kept.length} of ${formatCount(kept.length + dropped.length, 'episode')} (${drops}). No episode is changed or deleted.`,
      facts: {
        project_id: project.id,
        kept: kept.length,
        dropped: dropped.length,
        stages: stages.map(({ strategy, dropped }) => ({ strategy, dropped })),
        plan_hash,
      },
    };
  },
});
