import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { program } from './program.ts';
import { copyEmptyDatabase } from './store-template.ts';
import { recordTiming } from './timings.ts';

/** Requests to a service with a token. */
export interface ServiceRequests {
  /** A JSON request; gives status and parsed body. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
  /** Like `request`, but throws unless the status is 2xx. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers; the contract test holds their shapes
  ask(method: string, path: string, body?: unknown): Promise<any>;
}

/** A service in a process of its own, as a person starts it. */
export interface ServiceProcess extends ServiceRequests {
  readonly address: string;
  readonly token: string;
  readonly child: ChildProcess;
  /** Milliseconds from its start until `readyz` said yes. */
  readonly ready_ms: number;
  /** Returns the standard error of the process so far. */
  log(): string;
  /** SIGTERM, and the end. */
  stop(): Promise<number | null>;
  /** SIGKILL, and the end. */
  kill(): Promise<void>;
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers; the contract test holds their shapes
  readonly body: any;
}

export interface StartOptions {
  readonly data: string;
  readonly roots?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Absent: that of all tests. */
  readonly program?: string;
}

/**
 * Starts `assay serve` on a free port and waits until it is ready. A new data folder gets an empty database that is
 * made already: making one takes seconds. Throws with its output when it ends before.
 */
export async function startServiceProcess(options: StartOptions): Promise<ServiceProcess> {
  const embedded = (options.env?.ASSAY_DATABASE_URL ?? process.env.ASSAY_DATABASE_URL) === undefined;
  if (embedded && !existsSync(join(options.data, 'database'))) await copyEmptyDatabase(options.data);
  const started = performance.now();
  const roots = (options.roots ?? []).flatMap((root) => ['--root', root]);
  const child = spawn(
    process.execPath,
    [
      options.program ?? program,
      'serve',
      '--data',
      options.data,
      '--host',
      '127.0.0.1',
      '--port',
      '0',
      ...roots,
      ...(options.args ?? []),
    ],
    {
      env: { ...process.env, NO_COLOR: '1', ASSAY_LOG_LEVEL: 'warn', ...options.env },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let log = '';
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const address = await addressOf(child, () => log, ended);
  await untilReady(address);
  const ready_ms = performance.now() - started;
  recordTiming({ kind: 'start', what: 'service', ms: ready_ms });
  const token =
    options.env?.ASSAY_BOOTSTRAP_TOKEN ?? readFileSync(join(options.data, 'admin-token'), 'utf8').trim();
  return {
    address,
    token,
    child,
    ready_ms,
    log: () => log,
    ...serviceRequests(address, token),
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function addressOf(
  child: ChildProcess,
  log: () => string,
  ended: Promise<number | null>,
): Promise<string> {
  let code: number | null | undefined;
  void ended.then((exit) => {
    code = exit;
  });
  for (;;) {
    const address = /^Service:\s+(http\S+)$/m.exec(log())?.[1];
    if (address !== undefined) return address;
    if (code !== undefined) throw new Error(`the service ended with ${code}:\n${log()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
    if (child.exitCode !== null && log() === '') await ended;
  }
}

async function untilReady(address: string): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    const answer = await fetch(`${address}/readyz`).catch(() => null);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${address} did not become ready`);
}

/** Requests to the service at `address` by the holder of `token`. */
export function serviceRequests(address: string, token: string): ServiceRequests {
  const request = requester(address, token);
  return {
    request,
    ask: async (method, path, body) => {
      const answer = await request(method, path, body);
      if (answer.status >= 300)
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
  };
}

function requester(address: string, token: string): ServiceRequests['request'] {
  return async (method, path, body, headers = {}) => {
    const answer = await fetch(address + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const json = /json/.test(answer.headers.get('content-type') ?? '');
    return {
      status: answer.status,
      headers: answer.headers,
      body: json && text !== '' ? JSON.parse(text) : text,
    };
  };
}
