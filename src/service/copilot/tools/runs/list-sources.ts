import { listSources } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('list_sources');

export const listSourcesTool = defineTool({
  id: 'list_sources',
  title: 'List sources',
  description:
    'Lists where a project’s recordings come from: folders, buckets and uploads, with their state and size. Use it to find a source_id.',
  effect: 'read',
  operation,
  input: operation,
  run: listSources,
});
