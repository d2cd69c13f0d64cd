import { AssayError, type JsonObject } from '#core';
import type { Export } from '#core/api';
import {
  createExport,
  deleteExport,
  getExport,
  getProject,
  listExports,
  previewExport,
  sealExport,
} from '#service/operations';
import { defineTool, operationOf } from './define-tool.ts';
import { formatCount, formatMoney, formatSize } from './words.ts';

const listExportsOperation = operationOf('list_exports');

export const listExportsTool = defineTool({
  id: 'list_exports',
  title: 'List exports',
  description:
    'Lists a project’s exports, newest first, with format, status, number of episodes, size and seal. Use it to find an export_id.',
  effect: 'read',
  operation: listExportsOperation,
  input: listExportsOperation,
  run: listExports,
});

const createExportOperation = operationOf('create_export');

export const createExportTool = defineTool({
  id: 'create_export',
  title: 'Create an export',
  description:
    'Exports a project’s episodes as a training dataset: by default the accepted ones, otherwise selected by decisions, slice_id, curation_id or episode_ids. It costs money and is written in the background; list_exports shows when it is finished. Requires confirmation by a person.',
  effect: 'spend',
  operation: createExportOperation,
  input: createExportOperation,
  run: createExport,
  confirmation: async (store, call, input) => {
    const { name } = await getProject(store, call, input);
    const { format, purpose, episodes, source_id, estimate_usd } = await previewExport(store, call, input);
    const { kept, dropped, dropped_by } = episodes;
    const held = dropped_by.find(({ stage }) => stage === 'held_out')?.episodes ?? 0;
    const excluded = `${dropped} are excluded${held === 0 ? '' : `, ${held} of them reserved for evaluation`}`;
    return {
      prompt: `Export ${formatCount(kept, 'episode')} of the project “${name}” as ${format} for ${purpose}; ${excluded}. Estimated cost: ${formatMoney(estimate_usd)}.`,
      facts: { project_id: input.project_id, source_id, format, purpose, kept, dropped, estimate_usd },
    };
  },
});

const sealExportOperation = operationOf('seal_export');

export const sealExportTool = defineTool({
  id: 'seal_export',
  title: 'Seal an export',
  description:
    'Seals a finished export to approve it: it becomes immutable, its source cannot be removed, and only an admin can delete it. It cannot be undone. Requires confirmation by a person.',
  effect: 'destructive',
  operation: sealExportOperation,
  input: sealExportOperation,
  run: sealExport,
  confirmation: async (store, call, input) => {
    const [project, found] = await Promise.all([
      getProject(store, call, input),
      getExport(store, call, input),
    ]);
    return {
      prompt: `Seal ${describeExport(found)}, in the project “${project.name}”. It is ${found.status}. Sealing cannot be undone: the export becomes immutable, its source cannot be removed, and only an admin can delete it.`,
      facts: exportFacts(found),
    };
  },
});

const getExportDownloadOperation = operationOf('get_export_download');

export const getExportDownloadTool = defineTool({
  id: 'get_export_download',
  title: 'Get an export’s download link',
  description:
    'Returns the download link of a finished export as one archive, its size and its seal. The person downloads it with their own token; no file data is returned here.',
  effect: 'read',
  operation: getExportDownloadOperation,
  input: getExportDownloadOperation,
  run: async (store, call, { project_id, export_id, as }) => {
    const found = await getExport(store, call, { project_id, export_id });
    if (found.seal === null)
      throw new AssayError('not_ready', `the export is ${found.status} and has no files`, {
        advice: 'try again when list_exports shows that it has succeeded',
        details: { status: found.status },
      });
    const link = getExportDownloadOperation.path
      .replace('{project_id}', project_id)
      .replace('{export_id}', export_id);
    return { ...exportFacts(found), method: 'GET', link: `${link}?as=${as}` };
  },
});

const deleteExportOperation = operationOf('delete_export');

export const deleteExportTool = defineTool({
  id: 'delete_export',
  title: 'Delete an export',
  description:
    'Permanently deletes an export and its files; a running export is cancelled first. Only an admin can delete a sealed export. Recordings and episodes are kept. Requires confirmation by a person.',
  effect: 'destructive',
  operation: deleteExportOperation,
  input: deleteExportOperation,
  run: async (store, call, input) => {
    await deleteExport(store, call, input);
    return { deleted: input.export_id };
  },
  confirmation: async (store, call, input) => {
    const [project, found] = await Promise.all([
      getProject(store, call, input),
      getExport(store, call, input),
    ]);
    return {
      prompt: `Delete ${describeExport(found)}, with its ${found.files} files, from the project “${project.name}”. It is ${found.status}. The files cannot be restored; recordings and episodes are kept.`,
      facts: exportFacts(found),
    };
  },
});

/** Describes an export: `the lerobot-v3 export of 12 episodes (3.4 MB), made 2026-11-24`. */
function describeExport({ format, episodes, bytes, created_at }: Export): string {
  return `the ${format} export of ${formatCount(episodes.kept, 'episode')} (${formatSize(bytes)}), created ${created_at.slice(0, 10)}`;
}

/** Returns the same facts as values. */
function exportFacts({ id, project_id, format, status, episodes, files, bytes, seal }: Export): JsonObject {
  return { export_id: id, project_id, format, status, episodes: episodes.kept, files, bytes, seal };
}
