import { getExport, getProject, sealExport } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';
import { describeExport, exportFacts } from './describe-export.ts';

const operation = operationOf('seal_export');

export const sealExportTool = defineTool({
  id: 'seal_export',
  title: 'Seal an export',
  description:
    'Seals an export that has succeeded, as a person’s approval: it does not change any more, its source cannot be removed, and only an admin can delete it. It cannot be undone. A person confirms it first.',
  effect: 'destructive',
  operation,
  input: operation,
  run: sealExport,
  confirmation: async (store, call, input) => {
    const [project, found] = await Promise.all([
      getProject(store, call, input),
      getExport(store, call, input),
    ]);
    return {
      prompt: `Seal ${describeExport(found)}, in the project “${project.name}”. It is ${found.status}. A seal cannot be undone: the export and its source stay as they are, and only an admin can delete it.`,
      facts: exportFacts(found),
    };
  },
});
