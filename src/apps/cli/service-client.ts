import { type AssayApiError, type AssayClient, all, createClient, type Project, requestOf } from '#client';
import { AssayError, idPattern, messageOf } from '#core';
import type { DataArguments, Launcher } from './launcher.ts';

/** Options of commands that use a running service. */
export interface ServiceArguments extends DataArguments {
  /** Base URL of a remote service; its token comes from `token` or ASSAY_TOKEN. */
  readonly url?: string;
  readonly token?: string;
}

/**
 * Returns the service of `--url`, else the one on the data folder; `null` if none runs there. Throws `usage` for a URL
 * without a token.
 */
export async function findEndpoint(
  args: ServiceArguments,
  launcher: Launcher,
): Promise<ServiceEndpoint | null> {
  if (args.url === undefined) return launcher.findService(args);
  if (args.token === undefined) {
    throw new AssayError('usage', '--url needs a token', { advice: 'pass --token, or set ASSAY_TOKEN' });
  }
  return { address: args.url.replace(/\/$/, ''), token: args.token };
}

/** Creates a client for the selected service. Throws `not_ready` if none answers on the data folder. */
export async function reachService(args: ServiceArguments, launcher: Launcher): Promise<AssayClient> {
  const place = await findEndpoint(args, launcher);
  if (place !== null) return createServiceClient(place);
  throw noServiceError(args);
}

/** Returns the error for a data folder on which no service answers. */
export function noServiceError({ data }: DataArguments): AssayError {
  const folder = data === undefined ? '' : ` --data ${data}`;
  return new AssayError('not_ready', 'no service is running on the data folder', {
    advice: `start one with \`assay serve${folder}\`, or use a remote service with --url and --token`,
  });
}

/** Base URL of a service and a token for it. */
export interface ServiceEndpoint {
  readonly address: string;
  readonly token: string;
}

/** Attempts for each request; an unreachable service is reported after about a second. */
const maxAttempts = 3;

/** Creates an API client that throws `AssayError`. */
export const createServiceClient = ({ address, token }: ServiceEndpoint): AssayClient =>
  createClient({ address, token, tries: maxAttempts, map_error: asAssayError });

function asAssayError(error: AssayApiError): AssayError {
  const { code, message, advice, errors, details, request_id } = error;
  if (code === 'unreachable' || code === 'timed_out') {
    return new AssayError('storage_unavailable', message, {
      advice: 'check that `assay serve` is running there',
      cause: error,
    });
  }
  // Not the service's own words: a proxy's, which cannot reach it where it says 502 to 504.
  if (code === 'unexpected_answer') {
    const isAway = error.status !== null && error.status >= 502 && error.status <= 504;
    return new AssayError(isAway ? 'storage_unavailable' : 'internal', message);
  }
  const places = errors.map(({ pointer, message: wrong }) =>
    wrong === message ? pointer : `${pointer}: ${wrong}`,
  );
  return new AssayError(code, places.length === 0 ? message : `${message} (${places.join('; ')})`, {
    ...(advice === null ? {} : { advice }),
    details: { ...details, request_id },
  });
}

/**
 * Resolves a project id or unique project name to its id. Throws `not_found`, or `usage` if several projects have the
 * name.
 */
export async function projectOf(client: AssayClient, named: string): Promise<string> {
  if (idPattern('prj').test(named)) return named;
  const found: Project[] = [];
  for await (const project of all(client.projects.list, {})) if (project.name === named) found.push(project);
  const [first] = found;
  if (first === undefined) {
    throw new AssayError('not_found', `no project named ${named}`, {
      advice: `GET ${client.address}${requestOf('list_projects', {}).path} lists the projects; \`assay ingest PATH --project ${named}\` creates one`,
    });
  }
  if (found.length === 1) return first.id;
  throw new AssayError('usage', `${found.length} projects are named ${named}`, {
    advice: `use one of the ids: ${found.map(({ id }) => id).join(', ')}`,
  });
}

/** Delay between two attempts to reach a service that stopped answering. */
export const retryDelay_ms = 1000;
/** Maximum time without an answer before giving up. */
const maxSilence_ms = 120_000;

/** Error codes of temporary conditions, after which a request is retried. */
const transientCodes = new Set([
  'storage_unavailable',
  'database_unavailable',
  'busy',
  'rate_limited',
  'cancelled',
]);

/**
 * Rethrows an error that a retry cannot fix; throws `storage_unavailable` once the service has not answered for 2 min.
 * `heard_ms` is the time of its last answer (`performance.now()`); `path` is where the state of the work can be read.
 */
export function throwUnlessTransient(thrown: unknown, heard_ms: number, noun: string, path: string): void {
  if (thrown instanceof AssayError && !transientCodes.has(thrown.code)) throw thrown;
  if (performance.now() - heard_ms < maxSilence_ms) return;
  throw new AssayError(
    'storage_unavailable',
    `the service has not answered for 2 min: ${messageOf(thrown)}`,
    {
      advice: `the ${noun} may still be running; GET ${path} shows its progress`,
      cause: thrown,
    },
  );
}
