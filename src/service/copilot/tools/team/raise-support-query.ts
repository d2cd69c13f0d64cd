import { raiseSupportQuery } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('raise_support_query');

export const raiseSupportQueryTool = defineTool({
  id: 'raise_support_query',
  title: 'Raise a support query',
  description:
    'Raises a question with the team that runs the service, for what neither the data nor the other tools can answer. Say what was tried, and name the project where it concerns one.',
  effect: 'write',
  operation,
  input: operation,
  run: raiseSupportQuery,
});
