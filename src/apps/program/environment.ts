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
      `Model of the surface \`${id}\` (${surface.title.toLowerCase()}), whatever tenants and projects choose: ${surface.options.map((option) => `\`${option.id}\``).join(', ')}.`,
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
    .describe('Folder of this process: embedded database, blobs, uploads under way, the admin token.'),
  ASSAY_HOST: z.string().default('127.0.0.1').describe('Address to listen on; `0.0.0.0` for all.'),
  ASSAY_PORT: whole(0, 65535).default(8420).describe('Port to listen on; 0 takes a free one.'),
  ASSAY_DATABASE_URL: z
    .string()
    // As libpq reads it: `postgres:///name?host=/run/postgresql` is no URL to others.
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional()
    .describe('PostgreSQL 16 or newer. Absent: the embedded database in the data folder.'),
  ASSAY_SOURCE_ROOTS: z
    .string()
    .optional()
    .describe(
      `Folders that recordings may be read from, separated by \`${delimiter}\`. Absent: the home folder when listening on this machine only, else none.`,
    ),
  ASSAY_SOURCE_BUCKETS: z
    .string()
    .default('')
    .describe(
      'Buckets, or `bucket/prefix`, that recordings may be read from, separated by commas. Absent: none.',
    ),
  ASSAY_CACHE_BYTES: whole(1, Number.MAX_SAFE_INTEGER)
    .default(limits.storage.s3_cache_bytes.value)
    .describe('Room in the data folder for files of S3 sources while they are read.'),
  ASSAY_CACHE: z
    .string()
    .optional()
    .describe(
      'Folder in which `assay assess` keeps what it measured; `none` keeps nothing. Absent: `assay` in `XDG_CACHE_HOME` or in `~/.cache`.',
    ),
  ASSAY_BLOBS: z
    .string()
    .regex(/^(s3:\/\/[a-z0-9.-]{3,63}(\/.*)?|\/.*|[^:]+)$/)
    .optional()
    .describe('Where blobs lie: `s3://bucket/prefix`, or a folder. Absent: `blobs` in the data folder.'),
  ASSAY_S3_ENDPOINT: z.url().optional().describe('S3 server other than Amazon’s; addressed by path.'),
  ASSAY_S3_REGION: z.string().default('us-east-1').describe('Region of the S3 server.'),
  AWS_ACCESS_KEY_ID: z.string().optional().describe('For S3; absent: the usual credential chain.'),
  AWS_SECRET_ACCESS_KEY: z.string().optional().describe('For S3, with the key id.'),
  ASSAY_BOOTSTRAP_TOKEN: z
    .string()
    .regex(tokenShape, 'must be asy_ and 43 letters or digits')
    .optional()
    .describe('Admin token of the first start, instead of a random one.'),
  ASSAY_TOKEN: z
    .string()
    .optional()
    .describe('Token that commands such as `assay ingest` use. Absent: the admin token in the data folder.'),
  ASSAY_WORKERS: whole(1, 256).optional().describe('Threads that work on a run. Absent: one a core.'),
  ASSAY_WORKER_LANES: z
    .string()
    .optional()
    .describe(
      'Annotation layers, separated by commas, that `assay worker` does, and no runs: for machines with what these layers need. Absent: everything.',
    ),
  ASSAY_RATE_LIMIT: whole(1, 1_000_000)
    .default(limits.requests.token_per_minute.value)
    .describe('Requests a minute that one token may make before it is answered with 429.'),
  ASSAY_ADDRESS_RATE_LIMIT: whole(1, 1_000_000)
    .default(limits.requests.address_per_minute.value)
    .describe(
      'Requests a minute that one address may make without a token, and again as many with none or a bad one where one is needed, before it is answered with 429. Those with a good token do not count.',
    ),
  ASSAY_TRUST_PROXY: z
    .string()
    .regex(
      /^(([\da-f.:]+(\/\d+)?|loopback|linklocal|uniquelocal)(\s*,\s*|$))+$/i,
      'must be addresses or networks, separated by commas',
    )
    .optional()
    .describe(
      'Proxies in front, as addresses or networks (`10.0.0.0/8`, `loopback`), separated by commas: their `X-Forwarded-For` says who asks. Absent: none.',
    ),
  ASSAY_MAX_UPLOAD_BYTES: whole(1, Number.MAX_SAFE_INTEGER)
    .default(limits.uploads.file_bytes.value)
    .describe('Largest file that may be uploaded.'),
  ASSAY_COMPUTE_USD_PER_S: z.coerce
    .number()
    .min(0)
    .default(0)
    .describe('Price of a second of computing, for plans and costs; 0 on a machine of your own.'),
  ASSAY_PRICES: z
    .string()
    .optional()
    .describe(
      'YAML or JSON file with prices by layer, device and model ([models.md](models.md#prices)). Absent: `ASSAY_COMPUTE_USD_PER_S` for everything.',
    ),
  ASSAY_ONNX_PROVIDER: z
    .enum(onnxProviderSettings)
    .default('auto')
    .describe(
      'What computes ONNX models: `auto` (an accelerator that the machine has, else its processors), or one by name ([models.md](models.md#what-computes)).',
    ),
  ASSAY_SIGNING_COMMAND: z
    .string()
    .optional()
    .describe(
      'Program and arguments, separated by blanks, that sign bundles in place of a key in the data folder: it gets the bytes on its standard input and answers an Ed25519 signature; `{tenant}` stands for the tenant’s id ([bundles.md](bundles.md#keys)). Absent: a key in the data folder.',
    ),
  ASSAY_SIGNING_PUBLIC_KEY: z
    .string()
    .optional()
    .describe(
      'PEM file with the public half of the key behind `ASSAY_SIGNING_COMMAND`; `{tenant}` as there.',
    ),
  ASSAY_OPENROUTER_KEY: z
    .string()
    .optional()
    .describe(
      'Key of the hosted router that answers for the copilot ([copilot.md](copilot.md#providers)). Absent: the second provider answers.',
    ),
  ASSAY_OPENROUTER_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://openrouter.ai/api/v1')
    .describe('Where the hosted router answers.'),
  ASSAY_OPENROUTER_MODELS: z
    .string()
    .default('anthropic/claude-sonnet-4.5, openai/gpt-5-mini')
    .describe(
      'Its models that may be asked, separated by commas; the first where a request names none. They must call tools.',
    ),
  ASSAY_COPILOT_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Second provider: a server that speaks the chat protocol of OpenAI, such as `http://127.0.0.1:11434/v1`. Absent: without the router the copilot answers from the project’s state alone.',
    ),
  ASSAY_COPILOT_KEY: z.string().optional().describe('Its key. Absent: it wants none.'),
  ASSAY_COPILOT_MODELS: z
    .string()
    .optional()
    .describe('Its models, separated by commas; wanted with `ASSAY_COPILOT_URL`.'),
  ASSAY_COPILOT_TIMEOUT_S: whole(1, 600)
    .default(limits.copilot.silence_s.value)
    .describe('How long a chat provider may say nothing in the middle of a call.'),
  ASSAY_VLM_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Vision endpoint: a server of your own that speaks the chat protocol of OpenAI and takes pictures, such as `http://127.0.0.1:8000/v1` ([vision.md](vision.md)). Frames go there, and nowhere else. Absent: texts are composed from measurements.',
    ),
  ASSAY_VLM_MODEL: z
    .string()
    .regex(/^[^\s,]+$/, 'must be one name')
    .optional()
    .describe('Its model, as the server calls it; wanted with `ASSAY_VLM_URL`.'),
  ASSAY_VLM_KEY: z.string().optional().describe('Its key. Absent: it wants none.'),
  ASSAY_VLM_TIMEOUT_S: whole(1, 3600)
    .default(limits.vision.silence_s.value)
    .describe('How long it may say nothing in the middle of a call.'),
  ASSAY_MODEL_HUB: z
    .url({ protocol: /^https?$/ })
    .default('https://huggingface.co')
    .describe('Where `assay models pull` downloads weights: a hub, or a mirror laid out like it.'),
  HF_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .default('https://huggingface.co')
    .describe('Hub that `hf://` names datasets of ([sources.md](sources.md#a-dataset-of-a-hub)).'),
  HF_TOKEN: z
    .string()
    .optional()
    .describe('Token for private and gated datasets of the hub. Absent: the file `token` in `HF_HOME`.'),
  HF_HOME: z
    .string()
    .optional()
    .describe('Where tools of the hub keep their token. Absent: `~/.cache/huggingface`.'),
  ASSAY_WEB_CACHE_DIR: z
    .string()
    .optional()
    .describe(
      'Folder for what is read of `hf://` and `https://`. Absent: `assay/web` in the user’s cache folder.',
    ),
  ASSAY_WEB_CACHE_BYTES: whole(0, Number.MAX_SAFE_INTEGER)
    .default(limits.storage.web_cache_bytes.value)
    .describe('Room in that folder; what was not used for longest goes.'),
  XDG_CACHE_HOME: z.string().optional().describe('The user’s cache folder. Absent: `~/.cache`.'),
  ...modelVariables,
  ASSAY_LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .optional()
    .describe('Default `info`. Least severe lines that are logged, as JSON on standard error.'),
  ASSAY_STOP_GRACE_S: whole(0, 3600)
    .default(limits.requests.stop_grace_s.value)
    .describe('How long requests and units under way may go on after SIGTERM.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe('OpenTelemetry collector (OTLP over HTTP). Absent: no traces.'),
});

export type Environment = z.output<typeof environmentSchema>;
