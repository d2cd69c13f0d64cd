import { z } from 'zod';
import { getBudget, listModels, setBudget } from '#service/operations';
import { changeLayers } from './annotation.ts';
import { defineTool, operationOf } from './define-tool.ts';
import { formatMoney } from './words.ts';

const getModelsOperation = operationOf('list_models');

export const getModelsTool = defineTool({
  id: 'get_models',
  title: 'Get models',
  description:
    'Lists what models are used for, the options for each surface with their licence and benchmark evidence, which one is in effect and who chose it.',
  effect: 'read',
  operation: getModelsOperation,
  input: getModelsOperation,
  run: async (store, call, input) => {
    const { items, tenant_models } = await listModels(store, call, input);
    return {
      tenant_models,
      surfaces: items.map(({ options, ...surface }) => ({
        ...surface,
        options: options.map(({ weights: _, ...option }) => option),
      })),
    };
  },
});

const setModelOperation = operationOf('set_annotation_settings');

export const setModelTool = defineTool({
  id: 'set_model',
  title: 'Set a model',
  description:
    'Chooses which models a project uses: an object from surface to model, each one of the options that get_models lists. Other surfaces keep theirs; an empty object goes back to what the tenant or the use case chooses.',
  effect: 'write',
  operation: setModelOperation,
  input: {
    params: setModelOperation.params,
    body: z.strictObject({ models: setModelOperation.body.shape.models.unwrap() }),
  },
  run: async (store, call, input) => {
    const { models } = await changeLayers(store, call, input);
    return { models: models.map(({ id, chosen }) => ({ surface: id, ...chosen })) };
  },
});

const getBudgetOperation = operationOf('get_budget');

export const getBudgetTool = defineTool({
  id: 'get_budget',
  title: 'Get the budget',
  description:
    'Gets the weekly cap in US dollars, what was spent in the last seven days, what is reserved for queued work, and what remains.',
  effect: 'read',
  operation: getBudgetOperation,
  input: {},
  run: getBudget,
});

const setBudgetOperation = operationOf('set_budget');
const cap = (usd: number | null): string => (usd === null ? 'no cap' : formatMoney(usd));

export const setBudgetTool = defineTool({
  id: 'set_budget',
  title: 'Set the budget',
  description:
    'Sets the most that the tenant may spend in any seven days, in US dollars; null lifts the cap. For admins. A person confirms it first.',
  effect: 'spend',
  operation: setBudgetOperation,
  input: setBudgetOperation,
  run: setBudget,
  confirmation: async (store, call, { cap_usd }) => {
    const now = await getBudget(store, call);
    return {
      prompt: `Change the weekly cap of the whole tenant from ${cap(now.cap_usd)} to ${cap(cap_usd)}. In the last seven days it has spent ${formatMoney(now.spent_usd)}, and ${formatMoney(now.reserved_usd)} is reserved.`,
      facts: {
        ...{ cap_usd, cap_before_usd: now.cap_usd },
        ...{ spent_usd: now.spent_usd, reserved_usd: now.reserved_usd },
      },
    };
  },
});
