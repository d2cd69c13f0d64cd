import { createProject } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('create_project');

export const createProjectTool = defineTool({
  id: 'create_project',
  title: 'Create a project',
  description:
    'Creates a project in a workspace for one target profile. The profile must apply under the workspace’s use case: list_use_cases says which do.',
  effect: 'write',
  operation,
  input: operation,
  run: createProject,
});
