import { getReadinessSettings } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';
import { briefSettings } from './brief-settings.ts';

const operation = operationOf('get_readiness_settings');

export const getReadinessSettingsTool = defineTool({
  id: 'get_readiness_settings',
  title: 'Get readiness settings',
  description:
    'Gets how a project’s episodes are judged: each readiness check, whether it applies and is on, its threshold and weight with what the project changed, and the flags that it raises.',
  effect: 'read',
  operation,
  input: operation,
  run: async (store, call, input) => briefSettings(await getReadinessSettings(store, call, input)),
});
