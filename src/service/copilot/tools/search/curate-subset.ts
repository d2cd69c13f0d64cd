import { applyCuration, getProject, previewCuration } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';
import { counted } from '../words.ts';

const operation = operationOf('apply_curation');

export const curateSubsetTool = defineTool({
  id: 'curate_subset',
  title: 'Curate a subset',
  description:
    'Runs curation strategies in order over a project’s episodes and stores which to train on, with the stage that dropped each of the others. Strategies are decision, score, flags, near_duplicates, balance and others; an unknown one is refused with the list. A person confirms it first.',
  effect: 'write',
  operation,
  input: operation,
  run: applyCuration,
  confirmation: async (store, call, { name: _name, expected_plan_hash: _hash, ...input }) => {
    const [project, preview] = await Promise.all([
      getProject(store, call, input),
      previewCuration(store, call, input),
    ]);
    const { kept, dropped, stages, plan_hash } = preview;
    const drops = stages.map(({ strategy, dropped }) => `${strategy} drops ${dropped}`).join(', ');
    return {
      prompt: `Store a curation plan for the project “${project.name}”: it keeps ${kept.length} of ${counted(kept.length + dropped.length, 'episode')} (${drops}). No episode is changed or deleted.`,
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
