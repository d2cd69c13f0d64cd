import { deleteExport, getExport, getProject } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';
import { describeExport, exportFacts } from './describe-export.ts';

const operation = operationOf('delete_export');

export const deleteExportTool = defineTool({
  id: 'delete_export',
  title: 'Delete an export',
  description:
    'Deletes an export and its files for good; one that is under way is cancelled first. A sealed one needs an admin. Recordings and episodes stay. A person confirms it first.',
  effect: 'destructive',
  operation,
  input: operation,
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
      prompt: `Delete ${describeExport(found)}, with its ${found.files} files, from the project “${project.name}”. It is ${found.status}. The files cannot be brought back; recordings and episodes stay.`,
      facts: exportFacts(found),
    };
  },
});
