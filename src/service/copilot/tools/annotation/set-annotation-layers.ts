import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';
import { changeLayers } from './change-layers.ts';

const operation = operationOf('set_annotation_settings');

export const setAnnotationLayersTool = defineTool({
  id: 'set_annotation_layers',
  title: 'Set annotation layers',
  description:
    'Changes the modes of a project’s annotation layers, by layer or by preset, their knobs and their models. What is not named stays; an empty object resets its member to what the workspace or the use case sets. Knobs out of range are clamped.',
  effect: 'write',
  operation,
  input: operation,
  run: async (store, call, input) => {
    const { layers, cost_preview } = await changeLayers(store, call, input);
    return {
      layers: layers.map(({ id, mode, mode_from, mode_reason, applicable, knobs }) => ({
        ...{ id, mode, mode_from, mode_reason, applicable },
        knobs: Object.fromEntries(knobs.map((knob) => [knob.id, knob.value])),
      })),
      cost_preview,
    };
  },
});
