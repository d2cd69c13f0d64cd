import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fastify from 'fastify';
import { openApiDocument, operations, type serviceOperations } from '#core/api/operations';
import { checkReadiness, countRuns } from '#service/operations';
import { etagOf } from '../etag.ts';
import type { BytesAnswer, HandlersOf } from '../handler.ts';

let contract: Record<string, unknown> | null = null;

/** Handlers of health, metrics, the OpenAPI document and the API reference. */
export const serviceHandlers = {
  check_health: async () => ({ status: 'ok' }),
  check_readiness: async ({ store }) => checkReadiness(store),
  read_metrics: async ({ store, metrics }) => {
    // Metrics stay available without the database, when they are needed most.
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

/** Content security policy: the page loads its own files and this service's answers only. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/** HTML page of the API reference. */
const docsPage: BytesAnswer = {
  content_type: 'text/html; charset=utf-8',
  headers: { 'content-security-policy': policy },
  body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Assay API</title>
</head>
<body>
<div id="reference"></div>
<script src="/docs/reference.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`,
};

/** Settings of the reference; telemetry, web fonts, proxy and assistant are off because they need the network. */
const settings = {
  url: '/v1/openapi.json',
  theme: 'default',
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  persistAuth: false,
};

const script = 'text/javascript; charset=utf-8';

/** Script that starts the reference. */
const start: BytesAnswer = {
  content_type: script,
  body: `Scalar.createApiReference('#reference', ${JSON.stringify(settings)});\n`,
};

/** The large script, plain and gzipped; both answers carry an etag, so the script is hashed once. */
interface Reference {
  readonly plain: BytesAnswer;
  readonly gzipped: BytesAnswer;
}
let reference: Promise<Reference> | null = null;

/** Returns a script of the page; the large one is loaded on first use. */
async function docsFile(file: 'reference.js' | 'start.js', encodings: string): Promise<BytesAnswer> {
  if (file === 'start.js') return start;
  reference ??= loadReference();
  const { plain, gzipped } = await reference;
  return /\bgzip\b/.test(encodings) ? gzipped : plain;
}

/**
 * Loads the script of the reference. The package offers it only through its fastify plugin, so the plugin is asked
 * once.
 */
async function loadReference(): Promise<Reference> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const inner = fastify();
  await inner.register(plugin, { routePrefix: '/reference', configuration: { url: settings.url } });
  const { rawPayload } = await inner.inject('/reference/js/scalar.js');
  await inner.close();
  const packed = await promisify(gzip)(rawPayload);
  const answer = (body: Buffer, encoding: Readonly<Record<string, string>>): BytesAnswer => ({
    content_type: script,
    headers: { vary: 'accept-encoding', etag: etagOf(body), ...encoding },
    body,
  });
  return { plain: answer(rawPayload, {}), gzipped: answer(packed, { 'content-encoding': 'gzip' }) };
}
