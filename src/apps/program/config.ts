import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { AssayError } from '#core';
import {
  flatPrices,
  type JobLayerId,
  jobLayerIds,
  type ModelSurfaceId,
  type OnnxProviderWish,
  type PriceList,
  type VisionEndpoint,
} from '#core/api';
import type { WebSettings } from '#engine/local';
import type { S3Connection } from '#io/sources/s3';
import type { BlobsOptions, CopilotProvider, SigningCommand } from '#store';
import { copilotProvidersOf } from './copilot-providers.ts';
import { type Environment, environmentSchema } from './environment.ts';
import { modelsOf, unknownModelVariables } from './model-variables.ts';
import { readPrices } from './price-file.ts';
import { signingCommandOf } from './signing-command.ts';
import { visionEndpointOf } from './vision-endpoint.ts';

/** What the service is started with. */
export interface Config {
  readonly data_folder: string;
  readonly host: string;
  readonly port: number;
  readonly database_url: string | null;
  readonly source_roots: readonly string[];
  /** `bucket` or `bucket/prefix`. */
  readonly source_buckets: readonly string[];
  readonly cache_bytes: number;
  readonly blobs: BlobsOptions;
  readonly bootstrap_token: string | null;
  readonly client_token: string | null;
  /** How S3 is reached, for blobs and sources alike. */
  readonly s3: S3Connection;
  /** The only annotation layers that a worker does; null: everything. */
  readonly worker_lanes: readonly JobLayerId[] | null;
  readonly workers: number | null;
  readonly rate_limit_per_minute: number;
  readonly address_rate_limit_per_minute: number;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. */
  readonly trust_proxy: readonly string[];
  readonly max_upload_bytes: number;
  readonly prices: PriceList;
  /** Signs bundles; null: keys in the data folder. */
  readonly signing_command: SigningCommand | null;
  /** Where weights are downloaded from, without a slash at its end. */
  readonly model_hub: string;
  /** How recordings behind an address are read. */
  readonly web: Omit<WebSettings, 'plain_http'> & { readonly token_file: string };
  /** Models that win over what tenants and projects choose. */
  readonly environment_models: Readonly<Partial<Record<ModelSurfaceId, string>>>;
  /** Null: there is none. */
  readonly vision_endpoint: VisionEndpoint | null;
  /** By what this process computes ONNX models. */
  readonly onnx_provider: OnnxProviderWish;
  /** Who may answer for the copilot, the one that does first. */
  readonly copilot_providers: readonly CopilotProvider[];
  readonly log_level: NonNullable<Environment['ASSAY_LOG_LEVEL']>;
  readonly stop_grace_ms: number;
  readonly otlp_endpoint: string | null;
}

/** What the command line says, which wins over the environment. */
export interface ConfigOverrides {
  readonly data?: string;
  readonly host?: string;
  readonly port?: number;
  readonly roots?: readonly string[];
  /** Logs warnings only, where the environment does not say otherwise. */
  readonly quiet?: boolean;
  /** Annotation layers, separated by commas. */
  readonly lanes?: string;
}

/** Reads the environment. Throws `usage`, naming every variable that is wrong and how. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  overrides: ConfigOverrides = {},
): Config {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '');
  const parsed = environmentSchema.safeParse(Object.fromEntries(set));
  const misnamed = unknownModelVariables(set.map(([name]) => name));
  if (!parsed.success || misnamed.length > 0) {
    const said = [
      ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`),
      ...misnamed.map((name) => `${name}: there is no such model surface`),
    ];
    throw new AssayError('usage', `the environment cannot be used: ${said.join('; ')}`, {
      advice: 'docs/configuration.md lists every variable',
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
    log_level: env.ASSAY_LOG_LEVEL ?? (overrides.quiet === true ? 'warn' : 'info'),
    stop_grace_ms: env.ASSAY_STOP_GRACE_S * 1000,
    otlp_endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
  };
}

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

/** Throws `usage` for what is no layer. */
function lanesOf(named: string | undefined): readonly JobLayerId[] | null {
  const names = (named ?? '').split(/[\s,]+/).filter((name) => name !== '');
  if (names.length === 0) return null;
  const wrong = names.find((name) => jobLayerIds.every((id) => id !== name));
  if (wrong === undefined) return jobLayerIds.filter((id) => names.includes(id));
  throw new AssayError('usage', `there is no annotation layer ${wrong}`, {
    advice: `name some of ${jobLayerIds.join(', ')}`,
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
