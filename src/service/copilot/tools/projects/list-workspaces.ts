import { listWorkspaces } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('list_workspaces');

export const listWorkspacesTool = defineTool({
  id: 'list_workspaces',
  title: 'List workspaces',
  description:
    'Lists the workspaces of the tenant, newest first, each with its use case. Start here to find a workspace_id.',
  effect: 'read',
  operation,
  input: operation,
  run: listWorkspaces,
});
