import { createSource } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('create_source');

export const registerSourceTool = defineTool({
  id: 'register_source',
  title: 'Register a source',
  description:
    'Registers where recordings of a project lie: kind folder with path, kind s3 with bucket and prefix, or kind upload with a name, whose files a person then sends. Nothing is read until trigger_run.',
  effect: 'write',
  operation,
  input: operation,
  run: createSource,
});
