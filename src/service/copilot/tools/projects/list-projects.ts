import { listProjects } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('list_projects');

export const listProjectsTool = defineTool({
  id: 'list_projects',
  title: 'List projects',
  description:
    'Lists projects, newest first, with their target profile, kind of data, number of episodes and decisions; workspace_id narrows it. Use it to find a project_id by name.',
  effect: 'read',
  operation,
  input: operation,
  run: listProjects,
});
