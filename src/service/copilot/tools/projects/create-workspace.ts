import { createWorkspace } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('create_workspace');

export const createWorkspaceTool = defineTool({
  id: 'create_workspace',
  title: 'Create a workspace',
  description:
    'Creates a workspace for a use case; list_use_cases has their ids. The use case decides which targets, formats and defaults its projects have.',
  effect: 'write',
  operation,
  input: operation,
  run: createWorkspace,
});
