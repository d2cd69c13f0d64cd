import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer as createProbe, isIPv6 } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { type Running, type ServeArguments, signInAddress, version } from '#apps/cli';
import { AssayError, messageOf, sha256 } from '#core';
import { operations } from '#core/api/operations';
import { closeTextEncoders, type WorkEngine } from '#engine';
import {
  createServer,
  handlers,
  openTracing,
  type Site,
  type SiteFile,
  sweepAbandonedUploads,
  uploadMount,
} from '#service/http';
import { mcpMount } from '#service/mcp';
import {
  bootstrapTenant,
  closeFrameService,
  closeVideoService,
  createSignInLink,
  findActor,
  systemCall,
} from '#service/operations';
import { type Config, type ConfigOverrides, readConfig } from './config.ts';
import { createLog, type Installation, type Log, openInstallation } from './open-installation.ts';
import { withServiceAddress, writeServiceFile } from './service-file.ts';
import { startWork, stopWork } from './start-work.ts';

/** Starts `assay serve`: opens the installation, creates the first tenant, serves HTTP and processes runs. */
export async function startService(args: ServeArguments): Promise<Running> {
  const config = readConfig(process.env, overridesOf(args));
  const log = createLog(config);
  const installation = await openInstallation(config, { log }).catch(async (thrown) => {
    throw await withServiceAddress(thrown, config);
  });
  let server: FastifyInstance | null = null;
  try {
    const bootstrapped = await bootstrapTenant(installation, {
      data_folder: config.data_folder,
      bootstrap_token: config.bootstrap_token,
      now: new Date(),
    });
    if (bootstrapped.warning !== null) log.warn(bootstrapped.warning);
    server = await listen(installation, log, args.free_port === true);
    const address = addressOf(server, config);
    const engine = args.work === false ? null : await startWork(installation, log);
    const removeServiceFile = writeServiceFile(config.data_folder, address);
    log.info({ address }, 'the service is ready');
    return {
      address,
      data_folder: config.data_folder,
      admin_token: bootstrapped.token,
      admin_token_file: bootstrapped.token_file,
      signInLink: async () => {
        const call = systemCall(bootstrapped.tenant_id, 'start', new Date());
        const { token } = await createSignInLink(installation, call);
        return signInAddress(address, token);
      },
      stop: createStop({ server, engine, installation, removeServiceFile }),
    };
  } catch (thrown) {
    await server?.close().catch(() => {});
    await installation.close();
    throw thrown;
  }
}

function overridesOf({ data, host, port, root, quiet }: ServeArguments): ConfigOverrides {
  return {
    ...(data === undefined ? {} : { data }),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(root === undefined ? {} : { roots: root }),
    ...(quiet === undefined ? {} : { quiet }),
  };
}

async function listen(installation: Installation, log: Log, free_port: boolean): Promise<FastifyInstance> {
  const { config } = installation;
  const { otlp_endpoint: collector } = config;
  const site = openSite();
  if (site === undefined) log.warn('the web application is not built; run `npm run web` to build it');
  const server = await createServer({
    store: installation,
    operations,
    handlers,
    authenticate: (token) => findActor(installation, token, new Date()),
    log,
    limits: {
      token_per_minute: config.rate_limit_per_minute,
      address_per_minute: config.address_rate_limit_per_minute,
    },
    ...(config.trust_proxy.length === 0 ? {} : { trust_proxy: config.trust_proxy }),
    mounts: [
      uploadMount(),
      mcpMount({
        store: installation,
        version,
        behind_proxy: config.trust_proxy.length > 0,
        onFault: (thrown) => log.error({ err: thrown }, 'a tool or a resource failed over MCP'),
      }),
    ],
    ...(site === undefined ? {} : { site }),
    ...(collector === null ? {} : { tracing: await openTracing(collector, version) }),
  });
  sweepAbandonedUploads(server, installation);
  try {
    const port = free_port ? await freePort(config) : config.port;
    await server.listen({ host: config.host, port });
    return server;
  } catch (thrown) {
    await server.close();
    throw listenError(config, thrown);
  }
}

/** Returns the configured port, or 0 if it is taken. */
function freePort({ host, port }: Config): Promise<number> {
  return new Promise((resolve) => {
    const probe = createProbe();
    probe.once('error', () => resolve(0));
    probe.listen({ host, port }, () => probe.close(() => resolve(port)));
  });
}

function listenError({ host, port }: Config, thrown: unknown): AssayError {
  return new AssayError('usage', `cannot listen on ${host}:${port}: ${messageOf(thrown)}`, {
    advice: 'stop the program that uses the port, or choose another port with --port',
    cause: thrown,
  });
}

/** Returns the base URL as reachable from this machine. */
function addressOf(server: FastifyInstance, { host }: Config): string {
  const [{ port }] = server.addresses() as AddressInfo[];
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}

interface Parts {
  readonly server: FastifyInstance;
  readonly engine: WorkEngine | null;
  readonly installation: Installation;
  readonly removeServiceFile: () => void;
}

/**
 * Creates the function that stops the service: HTTP first, then work, then the installation. Repeated calls return the
 * same promise.
 */
function createStop({ server, engine, installation, removeServiceFile }: Parts) {
  let stopping: Promise<void> | null = null;
  const stop = async () => {
    removeServiceFile();
    await server.close();
    await closeFrameService(installation);
    await closeVideoService(installation);
    await closeTextEncoders(installation);
    await stopWork(installation, engine);
    await installation.close();
  };
  return () => {
    stopping ??= stop();
    return stopping;
  };
}

/** Folder that `npm run web` builds the web application into; in a bundle it lies beside the program. */
const folder = fileURLToPath(new URL('../../../web/dist', import.meta.url));

const index = 'index.html';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/**
 * Loads the built web application; `undefined` if it was not built. All files are read at once and kept in memory, so
 * that a rebuild does not affect a running service.
 */
function openSite(): Site | undefined {
  if (!existsSync(join(folder, index))) return undefined;
  const names = [index, ...readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`)];
  const known = names.filter((name) => types[extname(name)] !== undefined);
  const files = new Map(known.map((name) => [name, readSiteFile(name)]));
  return { file: async (path) => (await files.get(path)) ?? null };
}

async function readSiteFile(path: string): Promise<SiteFile | null> {
  const plain = await readFile(join(folder, path)).catch(() => null);
  if (plain === null) return null;
  const packed = await promisify(gzip)(plain, { level: 9 });
  return {
    content_type: types[extname(path)],
    etag: `"${sha256(plain).slice(0, 32)}"`,
    plain,
    gzipped: packed.length < plain.length ? packed : null,
    immutable: path.startsWith('assets/'),
  };
}
