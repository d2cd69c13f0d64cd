import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fastify from 'fastify';
import { openApiDocument, operations, type serviceOperations } from '#core/api/operations';
import { checkReadiness, countRuns } from '#service/operations';
import { etagOf } from '../etag.ts';
import type { BytesAnswer, HandlersOf } from '../handler.ts';

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

/** The page loads its own files and this service's answers, and nothing from anywhere else. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/** The reference of the contract as a page. */
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

/** Telemetry, fonts, a proxy and an assistant would need the network. */
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

/** The script that starts the reference. */
const start: BytesAnswer = {
  content_type: script,
  body: `Scalar.createApiReference('#reference', ${JSON.stringify(settings)});\n`,
};

/** The large script, plain and packed; both carry their tag, so that it is hashed once. */
interface Reference {
  readonly plain: BytesAnswer;
  readonly gzipped: BytesAnswer;
}
let reference: Promise<Reference> | null = null;

/** A script of the page; the large one is loaded when it is first asked for. */
async function docsFile(file: 'reference.js' | 'start.js', encodings: string): Promise<BytesAnswer> {
  if (file === 'start.js') return start;
  reference ??= loadReference();
  const { plain, gzipped } = await reference;
  return /\bgzip\b/.test(encodings) ? gzipped : plain;
}

/** The package serves its script from a plugin only, so the plugin is asked for it once. */
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
