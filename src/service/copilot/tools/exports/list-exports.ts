import { listExports } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('list_exports');

export const listExportsTool = defineTool({
  id: 'list_exports',
  title: 'List exports',
  description:
    'Lists a project’s exports, newest first, with format, status, number of episodes, size and seal. Use it to find an export_id.',
  effect: 'read',
  operation,
  input: operation,
  run: listExports,
});
