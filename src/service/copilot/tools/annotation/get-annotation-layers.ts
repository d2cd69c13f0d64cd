import { getAnnotationSettings, getAnnotationStatus } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('get_annotation_settings');

export const getAnnotationLayersTool = defineTool({
  id: 'get_annotation_layers',
  title: 'Get annotation layers',
  description:
    'Tells of every annotation layer of a project: its mode (in_run, on_demand, off) and who set it, whether the data can carry it, how many episodes do, its knobs, the presets, and what the next run would spend on layers.',
  effect: 'read',
  operation,
  input: operation,
  run: async (store, call, input) => {
    const [{ layers, presets, ...settings }, status] = await Promise.all([
      getAnnotationSettings(store, call, input),
      getAnnotationStatus(store, call, input),
    ]);
    const stands = new Map(status.layers.map(({ layer, mode: _, ...rest }) => [layer, rest]));
    const { models: _, ...rest } = settings;
    return {
      ...rest,
      episodes: status.episodes,
      last_run: status.last_run,
      layers: layers.map((layer) => ({ ...layer, ...stands.get(layer.id) })),
      presets: presets.map(({ id, title, summary, offered, reason }) => ({
        ...{ id, title, summary, offered, reason },
      })),
    };
  },
});
