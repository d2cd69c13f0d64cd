import { createSlice } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('create_slice');

export const createSliceTool = defineTool({
  id: 'create_slice',
  title: 'Create a slice',
  description:
    'Saves what a search finds now as a named slice, which stays as it is. Try the query with search_episodes first.',
  effect: 'write',
  operation,
  input: operation,
  run: createSlice,
});
