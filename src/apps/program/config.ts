import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { AssayError, messageOf, pointerPart, wrapReadError } from '#core';
import {
  flatPrices,
  type JobLayerId,
  jobLayerIds,
  type ModelSurfaceId,
  type OnnxProviderSetting,
  type PriceList,
  priceFileSchema,
  type VisionEndpoint,
} from '#core/api';
import type { WebSettings } from '#engine/local';
import type { WebSourceAccess } from '#io/sources';
import type { S3Connection } from '#io/sources/s3';
import { AddressRules } from '#io/sources/web';
import type { BlobsOptions, CopilotProvider, MailServer, NotificationSettings, SigningCommand } from '#store';
import { type Environment, environmentSchema, modelsOf, unknownModelVariables } from './environment.ts';

/** Validated configuration of the service. */
export interface Config {
  readonly data_folder: string;
  readonly host: string;
  readonly port: number;
  readonly database_url: string | null;
  readonly source_roots: readonly string[];
  /** Allowed S3 sources, each `bucket` or `bucket/prefix`. */
  readonly source_buckets: readonly string[];
  /** Addresses that sources may have, and tenants that may use the token of the hub. */
  readonly source_web: Pick<WebSourceAccess, 'allows' | 'networks' | 'max_bytes' | 'token_tenants'>;
  readonly cache_bytes: number;
  readonly blobs: BlobsOptions;
  readonly bootstrap_token: string | null;
  readonly client_token: string | null;
  /** S3 connection for blobs and sources. */
  readonly s3: S3Connection;
  /** Annotation layers that a worker processes; `null` for everything. */
  readonly worker_lanes: readonly JobLayerId[] | null;
  readonly workers: number | null;
  readonly rate_limit_per_minute: number;
  readonly address_rate_limit_per_minute: number;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trust_proxy: readonly string[];
  readonly max_upload_bytes: number;
  readonly prices: PriceList;
  /** Command that signs bundles; `null` to sign with keys in the data folder. */
  readonly signing_command: SigningCommand | null;
  /** Base URL of the hub for weights, without a trailing slash. */
  readonly model_hub: string;
  /** Settings for reading `hf://` and `https://` addresses. */
  readonly web: Omit<WebSettings, 'plain_http'> & { readonly token_file: string };
  /** Models that override the choices of tenants and projects. */
  readonly environment_models: Readonly<Partial<Record<ModelSurfaceId, string>>>;
  /** Endpoint of a vision model; `null` if there is none. */
  readonly vision_endpoint: VisionEndpoint | null;
  /** Provider that runs ONNX models in this process. */
  readonly onnx_provider: OnnxProviderSetting;
  /** Copilot providers in order of preference. */
  readonly copilot_providers: readonly CopilotProvider[];
  readonly notifications: NotificationSettings;
  readonly log_level: NonNullable<Environment['ASSAY_LOG_LEVEL']>;
  /** Time that requests and work get to finish after a stop signal, in ms. */
  readonly stop_grace_ms: number;
  readonly otlp_endpoint: string | null;
}

/** Command-line options, which override the environment. */
export interface ConfigOverrides {
  readonly data?: string;
  readonly host?: string;
  readonly port?: number;
  readonly roots?: readonly string[];
  /** Logs warnings and errors only, unless the environment sets a level. */
  readonly quiet?: boolean;
  /** Comma-separated annotation layers. */
  readonly lanes?: string;
}

/**
 * Builds the configuration from the environment and command-line options. Throws `usage`, naming every invalid
 * variable.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  overrides: ConfigOverrides = {},
): Config {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '');
  const parsed = environmentSchema.safeParse(Object.fromEntries(set));
  const misnamed = unknownModelVariables(set.map(([name]) => name));
  if (!parsed.success || misnamed.length > 0) {
    const messages = [
      ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`),
      ...misnamed.map((name) => `${name}: unknown model surface`),
    ];
    throw new AssayError('usage', `invalid environment variables: ${messages.join('; ')}`, {
      advice: 'docs/configuration.md lists all variables',
    });
  }
  const env = parsed.data;
  const data_folder = resolve(overrides.data ?? env.ASSAY_DATA_DIR);
  const host = overrides.host ?? env.ASSAY_HOST;
  return {
    data_folder,
    host,
    port: overrides.port ?? env.ASSAY_PORT,
    database_url: env.ASSAY_DATABASE_URL ?? null,
    source_roots: [...rootsOf(env, host), ...(overrides.roots ?? []).map((root) => resolve(root))],
    source_buckets: env.ASSAY_SOURCE_BUCKETS.split(/[\s,]+/).filter((bucket) => bucket !== ''),
    source_web: sourceWebOf(env),
    cache_bytes: env.ASSAY_CACHE_BYTES,
    blobs: blobsOf(env, data_folder),
    bootstrap_token: env.ASSAY_BOOTSTRAP_TOKEN ?? null,
    client_token: env.ASSAY_TOKEN ?? null,
    s3: s3Access(env),
    workers: env.ASSAY_WORKERS ?? null,
    worker_lanes: lanesOf(overrides.lanes ?? env.ASSAY_WORKER_LANES),
    rate_limit_per_minute: env.ASSAY_RATE_LIMIT,
    address_rate_limit_per_minute: env.ASSAY_ADDRESS_RATE_LIMIT,
    trust_proxy: (env.ASSAY_TRUST_PROXY ?? '').split(/[\s,]+/).filter((address) => address !== ''),
    max_upload_bytes: env.ASSAY_MAX_UPLOAD_BYTES,
    prices: pricesOf(env),
    signing_command: signingCommandOf(env),
    model_hub: env.ASSAY_MODEL_HUB.replace(/\/+$/, ''),
    web: webOf(env),
    environment_models: modelsOf(env),
    vision_endpoint: visionEndpointOf(env),
    onnx_provider: env.ASSAY_ONNX_PROVIDER,
    copilot_providers: copilotProvidersOf(env),
    notifications: {
      public_url: env.ASSAY_PUBLIC_URL === undefined ? null : trimSlashes(env.ASSAY_PUBLIC_URL),
      mail: mailServerOf(env),
    },
    log_level: env.ASSAY_LOG_LEVEL ?? (overrides.quiet === true ? 'warn' : 'info'),
    stop_grace_ms: env.ASSAY_STOP_GRACE_S * 1000,
    otlp_endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
  };
}

/** Throws `usage` for an invalid network. */
function sourceWebOf(env: Environment): Config['source_web'] {
  const networks = listOf(env.ASSAY_SOURCE_WEB_NETWORKS);
  new AddressRules(networks);
  return {
    allows: env.ASSAY_SOURCE_WEB,
    networks,
    max_bytes: env.ASSAY_SOURCE_WEB_BYTES,
    token_tenants: listOf(env.ASSAY_SOURCE_HUB_TENANTS),
  };
}

const listOf = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== '');

function webOf(env: Environment): Config['web'] {
  const cache = env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return {
    token: env.HF_TOKEN ?? null,
    token_file: join(env.HF_HOME ?? join(cache, 'huggingface'), 'token'),
    endpoint: env.HF_ENDPOINT.replace(/\/+$/, ''),
    cache_folder: resolve(env.ASSAY_WEB_CACHE_DIR ?? join(cache, 'assay', 'web')),
    cache_bytes: env.ASSAY_WEB_CACHE_BYTES,
  };
}

const pricesOf = ({ ASSAY_PRICES: file, ASSAY_COMPUTE_USD_PER_S: usd }: Environment): PriceList =>
  file === undefined ? flatPrices(usd) : readPrices(file, usd);

/** Parses a list of annotation layers; `null` if it is empty. Throws `usage` for an unknown layer. */
function lanesOf(named: string | undefined): readonly JobLayerId[] | null {
  const names = (named ?? '').split(/[\s,]+/).filter((name) => name !== '');
  if (names.length === 0) return null;
  const wrong = names.find((name) => jobLayerIds.every((id) => id !== name));
  if (wrong === undefined) return jobLayerIds.filter((id) => names.includes(id));
  throw new AssayError('usage', `unknown annotation layer ${wrong}`, {
    advice: `choose from ${jobLayerIds.join(', ')}`,
  });
}

const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

function rootsOf({ ASSAY_SOURCE_ROOTS: roots }: Environment, host: string): readonly string[] {
  if (roots === undefined) return loopback.has(host) ? [homedir()] : [];
  return roots
    .split(delimiter)
    .filter((root) => root !== '')
    .map((root) => resolve(root));
}

function blobsOf(env: Environment, data_folder: string): BlobsOptions {
  const place = env.ASSAY_BLOBS;
  if (place === undefined) return { kind: 'folder', folder: resolve(data_folder, 'blobs') };
  const s3 = /^s3:\/\/([^/]+)\/?(.*)$/.exec(place);
  if (s3 === null) return { kind: 'folder', folder: resolve(place) };
  return {
    kind: 's3',
    bucket: s3[1],
    prefix: s3[2].replace(/\/$/, ''),
    scratch_folder: resolve(data_folder, 'scratch'),
    ...s3Access(env),
  };
}

function s3Access(env: Environment): S3Connection {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, ASSAY_S3_ENDPOINT: endpoint } = env;
  return {
    region: env.ASSAY_S3_REGION,
    force_path_style: endpoint !== undefined,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(id === undefined || secret === undefined ? {} : { access_key_id: id, secret_access_key: secret }),
  };
}

/** Time limit of a signing command, after which it is killed. */
const timeout_ms = 30_000;

/** Returns the signing command; `null` if none is set. Throws `usage` if only one of the two variables is set. */
function signingCommandOf({
  ASSAY_SIGNING_COMMAND: command,
  ASSAY_SIGNING_PUBLIC_KEY: public_key,
}: Environment): SigningCommand | null {
  if (command === undefined && public_key === undefined) return null;
  const words = (command ?? '').split(/\s+/).filter((word) => word !== '');
  if (words.length > 0 && public_key !== undefined) return { command: words, public_key, timeout_ms };
  throw new AssayError('usage', 'ASSAY_SIGNING_COMMAND and ASSAY_SIGNING_PUBLIC_KEY must be set together', {
    advice: 'set both, or neither to sign with a key in the data folder',
  });
}

/**
 * Returns the vision endpoint of the environment; `null` if none is set. Throws `usage` without a model, or if the URL
 * has credentials, a query or a fragment.
 */
function visionEndpointOf(env: Environment): VisionEndpoint | null {
  const {
    ASSAY_VLM_URL: url,
    ASSAY_VLM_MODEL: model,
    ASSAY_VLM_KEY: key,
    ASSAY_VLM_TIMEOUT_S: silence_s,
  } = env;
  if (url === undefined) return null;
  const { username, password, search, hash } = new URL(url);
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    throw new AssayError('usage', 'ASSAY_VLM_URL must not contain credentials, a query or a fragment', {
      advice: 'put the key into ASSAY_VLM_KEY; the URL is written to the audit log',
    });
  if (model === undefined)
    throw new AssayError('usage', 'ASSAY_VLM_URL is set, but ASSAY_VLM_MODEL is not', {
      advice: 'set ASSAY_VLM_MODEL to the name of the model on that server',
    });
  return { url: url.replace(/\/+$/, ''), api_key: key ?? null, model, silence_ms: silence_s * 1000 };
}

/** Returns the mail server; `null` if none is set. Throws `usage` if variables that belong together are not all set. */
function mailServerOf(env: Environment): MailServer | null {
  const { ASSAY_SMTP_HOST: host, ASSAY_SMTP_FROM: from, ASSAY_SMTP_TLS: tls, ASSAY_SMTP_PORT: port } = env;
  const { ASSAY_SMTP_USER: user, ASSAY_SMTP_PASSWORD: password } = env;
  if (host === undefined && from === undefined && user === undefined && password === undefined) return null;
  if (host === undefined || from === undefined)
    throw new AssayError('usage', 'ASSAY_SMTP_HOST and ASSAY_SMTP_FROM must be set together', {
      advice: 'set both, or neither to send no email',
    });
  if ((user === undefined) !== (password === undefined))
    throw new AssayError('usage', 'ASSAY_SMTP_USER and ASSAY_SMTP_PASSWORD must be set together', {
      advice: 'set both, or neither for a server that needs no login',
    });
  const login = user === undefined || password === undefined ? null : { user, password };
  return { host, port: port ?? (tls === 'implicit' ? 465 : 587), tls, login, from };
}

/** Returns the copilot providers in order of preference. Throws `usage` if a provider has no model. */
function copilotProvidersOf(env: Environment): readonly CopilotProvider[] {
  const silence_ms = env.ASSAY_COPILOT_TIMEOUT_S * 1000;
  const { ASSAY_OPENROUTER_KEY: key, ASSAY_COPILOT_URL: second } = env;
  const providers: CopilotProvider[] = [];
  if (key !== undefined)
    providers.push({
      ...{ id: 'openrouter', base_url: trimSlashes(env.ASSAY_OPENROUTER_URL), api_key: key, silence_ms },
      models: parseModels('ASSAY_OPENROUTER_MODELS', env.ASSAY_OPENROUTER_MODELS),
    });
  if (second !== undefined)
    providers.push({
      ...{
        id: 'compatible',
        base_url: trimSlashes(second),
        api_key: env.ASSAY_COPILOT_KEY ?? null,
        silence_ms,
      },
      models: parseModels('ASSAY_COPILOT_MODELS', env.ASSAY_COPILOT_MODELS ?? ''),
    });
  return providers;
}

const trimSlashes = (url: string): string => url.replace(/\/+$/, '');

function parseModels(variable: string, named: string): CopilotProvider['models'] {
  const [first, ...others] = named.split(/[\s,]+/).filter((name) => name !== '');
  if (first !== undefined) return [first, ...others];
  throw new AssayError('usage', `${variable} contains no model name`, {
    advice: `set ${variable} to one or more model names, separated by commas`,
  });
}

const maxListedIssues = 4;
const advice = 'see docs/models.md#prices for an example';

/**
 * Reads a price list from a YAML or JSON file. `compute_usd_per_s` is the default for lists without a compute price.
 * Throws `invalid_settings` naming file and location, `not_found`, `not_permitted`.
 */
export function readPrices(file: string, compute_usd_per_s: number): PriceList {
  const path = resolve(file);
  const parsed = priceFileSchema.safeParse(documentIn(path));
  if (parsed.success)
    return { ...parsed.data, compute_usd_per_s: parsed.data.compute_usd_per_s ?? compute_usd_per_s };
  const issueTexts = parsed.error.issues
    .slice(0, maxListedIssues)
    .map(({ path: place, message }) => `${pointer(place)}: ${message}`);
  throw new AssayError('invalid_settings', `the price list ${path} is invalid: ${issueTexts.join('; ')}`, {
    path,
    advice,
  });
}

function documentIn(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (thrown) {
    throw wrapReadError(thrown, path, 'ASSAY_PRICES must name a readable YAML or JSON file');
  }
  try {
    // An empty file is a list that says nothing.
    return parse(text, { logLevel: 'error', maxAliasCount: 16 }) ?? {};
  } catch (thrown) {
    throw new AssayError(
      'invalid_settings',
      `the price list ${path} is not valid YAML or JSON: ${messageOf(thrown)}`,
      {
        path,
        advice,
        cause: thrown,
      },
    );
  }
}

const pointer = (place: readonly PropertyKey[]): string =>
  place.length === 0 ? 'top level' : place.map((part) => `/${pointerPart(part)}`).join('');
