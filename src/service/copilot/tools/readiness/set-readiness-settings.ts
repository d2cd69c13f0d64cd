import { setReadinessSettings } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';
import { briefSettings } from './brief-settings.ts';

const operation = operationOf('set_readiness_settings');

export const setReadinessSettingsTool = defineTool({
  id: 'set_readiness_settings',
  title: 'Set readiness settings',
  description:
    'Stores how a project’s checks differ from their defaults: switched off, threshold moved, weight changed. Values out of bounds are clamped and named in adjusted. Episodes keep their receipts until they are judged again.',
  effect: 'write',
  operation,
  input: operation,
  run: async (store, call, input) => briefSettings(await setReadinessSettings(store, call, input)),
});
