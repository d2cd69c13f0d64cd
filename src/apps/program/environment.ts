import { delimiter } from 'node:path';
import { z } from 'zod';
import { limits } from '#core';
import { type ModelSurfaceId, modelSurfaceIds, onnxProviderSettings, tokenShape } from '#core/api';
import { modelRefusalReason, surfaceOf } from '#labels/models';

type Variable = `ASSAY_MODEL_${Uppercase<ModelSurfaceId>}`;

const variableOf = (surface: ModelSurfaceId): Variable => `ASSAY_MODEL_${surface.toUpperCase()}` as Variable;

/** Schemas of the `ASSAY_MODEL_*` variables, one for each surface; only its options are valid. */
const modelVariables = Object.fromEntries(
  modelSurfaceIds.map((id) => [variableOf(id), modelVariable(id)]),
) as Record<Variable, ReturnType<typeof modelVariable>>;

function modelVariable(id: ModelSurfaceId) {
  const surface = surfaceOf(id);
  return z
    .string()
    .superRefine((model, context) => {
      const message = modelRefusalReason(surface, model);
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .optional()
    .describe(
      `Model of the surface \`${id}\` (${surface.title.toLowerCase()}); overrides the choice of tenants and projects. One of ${surface.options.map((option) => `\`${option.id}\``).join(', ')}.`,
    );
}

/** Returns the models that the environment sets, by surface. */
export function modelsOf(
  environment: Readonly<Partial<Record<Variable, string | undefined>>>,
): Readonly<Partial<Record<ModelSurfaceId, string>>> {
  return Object.fromEntries(
    modelSurfaceIds.flatMap((id) => {
      const model = environment[variableOf(id)];
      return model === undefined ? [] : [[id, model]];
    }),
  );
}

/** Returns the names that begin with `ASSAY_MODEL_` but belong to no surface. */
export function unknownModelVariables(names: readonly string[]): readonly string[] {
  const known = new Set<string>([...Object.keys(modelVariables), 'ASSAY_MODEL_HUB']);
  return names.filter((name) => name.startsWith('ASSAY_MODEL_') && !known.has(name));
}

const whole = (minimum: number, maximum: number) => z.coerce.number().int().min(minimum).max(maximum);

/** Schema of all environment variables of the service. docs/configuration.md is generated from it. */
export const environmentSchema = z.object({
  ASSAY_DATA_DIR: z
    .string()
    .default('assay-data')
    .describe('Data folder: embedded database, blobs, unfinished uploads and the admin token.'),
  ASSAY_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address to listen on; `0.0.0.0` listens on all network interfaces.'),
  ASSAY_PORT: whole(0, 65535).default(8420).describe('Port to listen on; 0 picks a free port.'),
  ASSAY_DATABASE_URL: z
    .string()
    // As libpq reads it: `postgres:///name?host=/run/postgresql` is no URL to others.
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional()
    .describe(
      'URL of a PostgreSQL server, version 16 or newer. If unset, the embedded database in the data folder is used.',
    ),
  ASSAY_SOURCE_ROOTS: z
    .string()
    .optional()
    .describe(
      `Folders that recordings may be read from, separated by \`${delimiter}\`. If unset: the home folder if the service listens on this machine only, otherwise none.`,
    ),
  ASSAY_SOURCE_BUCKETS: z
    .string()
    .default('')
    .describe(
      'S3 buckets, or `bucket/prefix`, that recordings may be read from, separated by commas. If unset, none.',
    ),
  ASSAY_SOURCE_WEB: z
    .enum(['all', 'hub', 'none'])
    .default('all')
    .describe(
      'What sources of the service may be read over the web: `all` (`hf://` and `https://`), `hub` (`hf://` only) or `none` ([sources.md](sources.md#safety)).',
    ),
  ASSAY_SOURCE_WEB_NETWORKS: z
    .string()
    .default('')
    .describe(
      'Networks that such sources may be read from and webhooks sent to besides public addresses, such as `10.20.0.0/16`, separated by commas; `http://` is allowed there. If unset, private, loopback and link-local addresses are refused.',
    ),
  ASSAY_SOURCE_WEB_BYTES: whole(1, Number.MAX_SAFE_INTEGER)
    .default(limits.storage.web_source_bytes.value)
    .describe('Maximum size in bytes of the files of one such source.'),
  ASSAY_SOURCE_HUB_TENANTS: z
    .string()
    .regex(/^(tnt_[a-z0-9]+(\s*,\s*|$))*$/, 'must be tenant ids, separated by commas')
    .default('')
    .describe(
      'Tenants whose `hf://` sources are read with `HF_TOKEN`, so that they can read every private dataset that the token can, separated by commas. If unset, the service uses the token for nobody and reads public datasets only.',
    ),
  ASSAY_CACHE_BYTES: whole(1, Number.MAX_SAFE_INTEGER)
    .default(limits.storage.s3_cache_bytes.value)
    .describe('Maximum size in bytes of the cache for files of S3 and web sources, in the data folder.'),
  ASSAY_CACHE: z
    .string()
    .optional()
    .describe(
      'Folder for the measurement cache of `assay assess`; `none` turns the cache off. If unset: `assay` in `XDG_CACHE_HOME` or in `~/.cache`.',
    ),
  ASSAY_BLOBS: z
    .string()
    .regex(/^(s3:\/\/[a-z0-9.-]{3,63}(\/.*)?|\/.*|[^:]+)$/)
    .optional()
    .describe(
      'Where blobs are stored: `s3://bucket/prefix`, or a folder. If unset: `blobs` in the data folder.',
    ),
  ASSAY_S3_ENDPOINT: z
    .url()
    .optional()
    .describe('URL of an S3-compatible server other than AWS; accessed with path-style addresses.'),
  ASSAY_S3_REGION: z.string().default('us-east-1').describe('Region of the S3 server.'),
  AWS_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe('Access key for S3. If unset, the default AWS credential chain is used.'),
  AWS_SECRET_ACCESS_KEY: z
    .string()
    .optional()
    .describe('Secret key for S3; set together with `AWS_ACCESS_KEY_ID`.'),
  ASSAY_BOOTSTRAP_TOKEN: z
    .string()
    .regex(tokenShape, 'must be asy_ and 43 letters or digits')
    .optional()
    .describe('Admin token that the first start creates, instead of a random one.'),
  ASSAY_TOKEN: z
    .string()
    .optional()
    .describe(
      'Token that commands such as `assay ingest` use. If unset: the admin token in the data folder.',
    ),
  ASSAY_WORKERS: whole(1, 256)
    .optional()
    .describe('Number of threads that process a run. If unset: one per core.'),
  ASSAY_WORKER_LANES: z
    .string()
    .optional()
    .describe(
      'Annotation layers, separated by commas, that `assay worker` processes; it then processes no runs. For machines with the hardware that these layers need. If unset: everything.',
    ),
  ASSAY_RATE_LIMIT: whole(1, 1_000_000)
    .default(limits.requests.token_per_minute.value)
    .describe('Requests per minute allowed for one token; more are answered with 429.'),
  ASSAY_ADDRESS_RATE_LIMIT: whole(1, 1_000_000)
    .default(limits.requests.address_per_minute.value)
    .describe(
      'Requests per minute allowed for one IP address without a token, plus the same number of requests that fail authentication; more are answered with 429. Requests with a valid token do not count.',
    ),
  ASSAY_TRUST_PROXY: z
    .string()
    .regex(
      /^(([\da-f.:]+(\/\d+)?|loopback|linklocal|uniquelocal)(\s*,\s*|$))+$/i,
      'must be addresses or networks, separated by commas',
    )
    .optional()
    .describe(
      'Trusted reverse proxies, as addresses or networks (`10.0.0.0/8`, `loopback`), separated by commas. The client address is taken from their `X-Forwarded-For`. If unset, none.',
    ),
  ASSAY_MAX_UPLOAD_BYTES: whole(1, Number.MAX_SAFE_INTEGER)
    .default(limits.uploads.file_bytes.value)
    .describe('Maximum size of an uploaded file, in bytes.'),
  ASSAY_COMPUTE_USD_PER_S: z.coerce
    .number()
    .min(0)
    .default(0)
    .describe('Price of one second of compute time in USD, for plans and costs; 0 for your own hardware.'),
  ASSAY_PRICES: z
    .string()
    .optional()
    .describe(
      'YAML or JSON file with prices by layer, device and model ([models.md](models.md#prices)). If unset, `ASSAY_COMPUTE_USD_PER_S` applies to everything.',
    ),
  ASSAY_ONNX_PROVIDER: z
    .enum(onnxProviderSettings)
    .default('auto')
    .describe(
      'Execution provider for ONNX models: `auto` (an accelerator if there is one, otherwise the CPU), or a provider by name ([models.md](models.md#what-computes)).',
    ),
  ASSAY_SIGNING_COMMAND: z
    .string()
    .optional()
    .describe(
      'Command, with arguments separated by spaces, that signs bundles: it receives the bytes on standard input and prints an Ed25519 signature. `{tenant}` is replaced by the tenant id ([bundles.md](bundles.md#keys)). If unset, a key in the data folder signs.',
    ),
  ASSAY_SIGNING_PUBLIC_KEY: z
    .string()
    .optional()
    .describe(
      'PEM file with the public key that belongs to `ASSAY_SIGNING_COMMAND`; `{tenant}` is replaced in the same way.',
    ),
  ASSAY_OPENROUTER_KEY: z
    .string()
    .optional()
    .describe(
      'API key of OpenRouter, the first provider of the copilot ([copilot.md](copilot.md#providers)). If unset, the second provider is used.',
    ),
  ASSAY_OPENROUTER_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://openrouter.ai/api/v1')
    .describe('Base URL of OpenRouter.'),
  ASSAY_OPENROUTER_MODELS: z
    .string()
    .default('anthropic/claude-sonnet-4.5, openai/gpt-5-mini')
    .describe(
      'OpenRouter models that may be used, separated by commas; the first is the default. They must support tool calls.',
    ),
  ASSAY_COPILOT_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Base URL of the second provider, a server with an OpenAI-compatible chat API, such as `http://127.0.0.1:11434/v1`. If neither provider is set, the copilot answers from the state of the project alone.',
    ),
  ASSAY_COPILOT_KEY: z
    .string()
    .optional()
    .describe('API key for `ASSAY_COPILOT_URL`, if the server needs one.'),
  ASSAY_COPILOT_MODELS: z
    .string()
    .optional()
    .describe('Models of the second provider, separated by commas; required with `ASSAY_COPILOT_URL`.'),
  ASSAY_COPILOT_TIMEOUT_S: whole(1, 600)
    .default(limits.copilot.silence_s.value)
    .describe('Seconds without data from a chat provider after which a call is aborted.'),
  ASSAY_VLM_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Base URL of your own vision model server, with an OpenAI-compatible chat API that accepts images, such as `http://127.0.0.1:8000/v1` ([vision.md](vision.md)). Frames are sent there and nowhere else. If unset, captions are composed from measurements.',
    ),
  ASSAY_VLM_MODEL: z
    .string()
    .regex(/^[^\s,]+$/, 'must be one name')
    .optional()
    .describe('Name of the model on the vision server; required with `ASSAY_VLM_URL`.'),
  ASSAY_VLM_KEY: z.string().optional().describe('API key for `ASSAY_VLM_URL`, if the server needs one.'),
  ASSAY_VLM_TIMEOUT_S: whole(1, 3600)
    .default(limits.vision.silence_s.value)
    .describe('Seconds without data from the vision server after which a call is aborted.'),
  ASSAY_MODEL_HUB: z
    .url({ protocol: /^https?$/ })
    .default('https://huggingface.co')
    .describe(
      'URL that `assay models pull` downloads weights from: the Hugging Face Hub, or a mirror with the same layout.',
    ),
  HF_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .default('https://huggingface.co')
    .describe('URL of the hub for `hf://` addresses ([sources.md](sources.md#a-dataset-of-a-hub)).'),
  HF_TOKEN: z
    .string()
    .optional()
    .describe('Token for private and gated datasets on the hub. If unset: the file `token` in `HF_HOME`.'),
  HF_HOME: z
    .string()
    .optional()
    .describe('Folder where Hugging Face tools store their token. If unset: `~/.cache/huggingface`.'),
  ASSAY_WEB_CACHE_DIR: z
    .string()
    .optional()
    .describe(
      'Cache folder for data from `hf://` and `https://`. If unset: `assay/web` in the user’s cache folder.',
    ),
  ASSAY_WEB_CACHE_BYTES: whole(0, Number.MAX_SAFE_INTEGER)
    .default(limits.storage.web_cache_bytes.value)
    .describe('Maximum size of that folder in bytes; the least recently used data is deleted first.'),
  XDG_CACHE_HOME: z.string().optional().describe('The user’s cache folder. If unset: `~/.cache`.'),
  ...modelVariables,
  ASSAY_LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .optional()
    .describe('Minimum level of log lines, which are JSON on standard error. Default `info`.'),
  ASSAY_STOP_GRACE_S: whole(0, 3600)
    .default(limits.requests.stop_grace_s.value)
    .describe('Seconds that current requests and work may take to finish after SIGTERM.'),
  ASSAY_PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Address under which users reach the service, such as `https://assay.example.org`, for links in notifications ([notifications.md](notifications.md)). If unset, links are paths.',
    ),
  ASSAY_SMTP_HOST: z
    .string()
    .optional()
    .describe(
      'Host name of the mail server for email notifications ([notifications.md](notifications.md#email)); requires `ASSAY_SMTP_FROM`. If unset, no email is sent.',
    ),
  ASSAY_SMTP_PORT: whole(1, 65535)
    .optional()
    .describe('Port of the mail server. If unset: 465 with implicit TLS, otherwise 587.'),
  ASSAY_SMTP_TLS: z
    .enum(['required', 'implicit', 'none'])
    .default('required')
    .describe(
      '`required`: STARTTLS, and nothing is sent if the server does not offer it. `implicit`: TLS from the start. `none`: without TLS, for a server on the same machine.',
    ),
  ASSAY_SMTP_USER: z
    .string()
    .optional()
    .describe('User name for the mail server; set together with `ASSAY_SMTP_PASSWORD`. If unset, no login.'),
  ASSAY_SMTP_PASSWORD: z.string().optional().describe('Password for the mail server.'),
  ASSAY_SMTP_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s@]+@[^\s@]+[^\r\n]*$/, 'must be an email address')
    .optional()
    .describe('Sender of email notifications, such as `Assay <assay@example.org>`.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe('URL of an OpenTelemetry collector (OTLP over HTTP). If unset, no traces are sent.'),
});

export type Environment = z.output<typeof environmentSchema>;
