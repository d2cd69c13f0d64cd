import { listSlices } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('list_slices');

export const listSlicesTool = defineTool({
  id: 'list_slices',
  title: 'List slices',
  description:
    'Lists a project’s saved slices, newest first, with their query, number of episodes, and whether they are locked as an evaluation set.',
  effect: 'read',
  operation,
  input: operation,
  run: listSlices,
});
