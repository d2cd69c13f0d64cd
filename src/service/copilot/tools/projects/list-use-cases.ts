import { listUseCases } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';

const operation = operationOf('list_use_cases');
const fits = (format: { readonly fits: boolean }): boolean => format.fits;

export const listUseCasesTool = defineTool({
  id: 'list_use_cases',
  title: 'List use cases',
  description:
    'Lists the use cases that a workspace can declare, with the target profiles and formats that fit each. Call it before create_workspace or create_project.',
  effect: 'read',
  operation,
  input: operation,
  run: async (store, call, input) => {
    const { items, next_cursor } = await listUseCases(store, call, input);
    const useCases = items.map(({ id, title, summary, expected_kinds, presets, ...row }) => ({
      ...{ id, title, summary, expected_kinds, presets },
      target_profiles: row.target_profiles
        .filter(({ applicable }) => applicable)
        .map(({ id, recommended }) => ({ id, recommended })),
      source_formats: row.source_formats.filter(fits).map(({ id }) => id),
      export_formats: row.export_formats.filter(fits).map(({ id }) => id),
    }));
    return { items: useCases, next_cursor };
  },
});
