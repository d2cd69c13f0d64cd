import { listModels } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('list_models');

export const getModelsTool = defineTool({
  id: 'get_models',
  title: 'Get models',
  description:
    'Lists what models are used for, the options for each surface with their licence and benchmark evidence, which one is in effect and who chose it.',
  effect: 'read',
  operation,
  input: operation,
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
