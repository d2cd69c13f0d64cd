import { getBudget } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('get_budget');

export const getBudgetTool = defineTool({
  id: 'get_budget',
  title: 'Get the budget',
  description:
    'Gets the weekly cap in US dollars, what was spent in the last seven days, what is reserved for queued work, and what remains.',
  effect: 'read',
  operation,
  input: {},
  run: getBudget,
});
