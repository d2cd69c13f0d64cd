import { openApiDocument, operations, type serviceOperations } from '#operations';
import { checkReadiness } from '#services';
import { docsFile, docsPage } from '../docs.ts';
import type { HandlersOf } from '../handler.ts';

let contract: Record<string, unknown> | null = null;

export const serviceHandlers = {
  check_health: async () => ({ status: 'ok' }),
  check_readiness: async ({ store }) => checkReadiness(store),
  read_metrics: async ({ metrics }) => ({
    content_type: metrics.registry.contentType,
    body: await metrics.registry.metrics(),
  }),
  get_contract: async () => {
    contract ??= openApiDocument(operations);
    return contract;
  },
  open_docs: async () => docsPage,
  get_docs_file: async ({ headers }, { params }) =>
    docsFile(params.file, String(headers['accept-encoding'] ?? '')),
} satisfies HandlersOf<typeof serviceOperations>;
