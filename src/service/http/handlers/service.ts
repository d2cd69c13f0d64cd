import { openApiDocument, operations, type serviceOperations } from '#core/api/operations';
import { checkReadiness, countRuns } from '#service/operations';
import { docsFile, docsPage } from '../docs.ts';
import type { HandlersOf } from '../handler.ts';

let contract: Record<string, unknown> | null = null;

export const serviceHandlers = {
  check_health: async () => ({ status: 'ok' }),
  check_readiness: async ({ store }) => checkReadiness(store),
  read_metrics: async ({ store, metrics }) => {
    // Without its database a process still has metrics, and then they are wanted most.
    const counted = await countRuns(store).catch(() => new Map<string, number>());
    metrics.runs.reset();
    for (const [status, runs] of counted) metrics.runs.set({ status }, runs);
    return { content_type: metrics.registry.contentType, body: await metrics.registry.metrics() };
  },
  get_contract: async () => {
    contract ??= openApiDocument(operations);
    return contract;
  },
  open_docs: async () => docsPage,
  get_docs_file: async ({ headers }, { params }) =>
    docsFile(params.file, String(headers['accept-encoding'] ?? '')),
} satisfies HandlersOf<typeof serviceOperations>;
