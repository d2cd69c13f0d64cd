import { createExport, getProject, previewExport } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';
import { counted, money } from '../words.ts';

const operation = operationOf('create_export');

export const createExportTool = defineTool({
  id: 'create_export',
  title: 'Create an export',
  description:
    'Exports a project’s episodes as a training set: by default those that were accepted, or by decisions, slice_id, curation_id or episode_ids. It costs money and is written in the background; list_exports tells when it is there. A person confirms it first.',
  effect: 'spend',
  operation,
  input: operation,
  run: createExport,
  confirmation: async (store, call, input) => {
    const { name } = await getProject(store, call, input);
    const { format, purpose, episodes, source_id, estimate_usd } = await previewExport(store, call, input);
    const { kept, dropped } = episodes;
    return {
      prompt: `Export ${counted(kept, 'episode')} of the project “${name}” as ${format} for ${purpose}; ${dropped} are left out. It is estimated to cost ${money(estimate_usd)}.`,
      facts: { project_id: input.project_id, source_id, format, purpose, kept, dropped, estimate_usd },
    };
  },
});
