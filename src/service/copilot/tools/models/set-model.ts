import { z } from 'zod';
import { changeLayers } from '../annotation/change-layers.ts';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('set_annotation_settings');

export const setModelTool = defineTool({
  id: 'set_model',
  title: 'Set a model',
  description:
    'Chooses which models a project uses: an object from surface to model, each one of the options that get_models lists. Other surfaces keep theirs; an empty object goes back to what the tenant or the use case chooses.',
  effect: 'write',
  operation,
  input: {
    params: operation.params,
    body: z.strictObject({ models: operation.body.shape.models.unwrap() }),
  },
  run: async (store, call, input) => {
    const { models } = await changeLayers(store, call, input);
    return { models: models.map(({ id, chosen }) => ({ surface: id, ...chosen })) };
  },
});
