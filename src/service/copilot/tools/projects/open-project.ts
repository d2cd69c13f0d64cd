import { getProject } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('get_project');

export const openProjectTool = defineTool({
  id: 'open_project',
  title: 'Open a project',
  description:
    'Gets one project: its workspace, use case, target profile, kind of data, and how many episodes were accepted, sent to review and rejected.',
  effect: 'read',
  operation,
  input: operation,
  run: getProject,
});
