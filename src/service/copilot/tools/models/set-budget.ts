import { getBudget, setBudget } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';
import { money } from '../words.ts';

const operation = operationOf('set_budget');
const cap = (usd: number | null): string => (usd === null ? 'no cap' : money(usd));

export const setBudgetTool = defineTool({
  id: 'set_budget',
  title: 'Set the budget',
  description:
    'Sets the most that the tenant may spend in any seven days, in US dollars; null lifts the cap. For admins. A person confirms it first.',
  effect: 'spend',
  operation,
  input: operation,
  run: setBudget,
  confirmation: async (store, call, { cap_usd }) => {
    const now = await getBudget(store, call);
    return {
      prompt: `Change the weekly cap of the whole tenant from ${cap(now.cap_usd)} to ${cap(cap_usd)}. In the last seven days it has spent ${money(now.spent_usd)}, and ${money(now.reserved_usd)} is reserved.`,
      facts: {
        ...{ cap_usd, cap_before_usd: now.cap_usd },
        ...{ spent_usd: now.spent_usd, reserved_usd: now.reserved_usd },
      },
    };
  },
});
