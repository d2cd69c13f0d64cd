import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AssayError } from '#core';
import type { Io } from '../../io.ts';
import type { Launcher, ServeArguments } from '../../launcher.ts';
import {
  createServiceClient,
  findEndpoint,
  type ServiceArguments,
  type ServiceEndpoint,
} from '../../service-client.ts';

/** A client for a service, and how to release it. */
export interface ReachedService {
  readonly client: ReturnType<typeof createServiceClient>;
  /** `false` if the service was started for this command and stops with it. */
  readonly stays: boolean;
  done(): Promise<void>;
}

/**
 * Connects to the running service, or starts one for the duration of the command with read access to `folder`. If
 * `keeps` is `false` and no data folder exists, a temporary one is used and deleted.
 */
export async function reachOrStart(
  folder: string,
  args: ServiceArguments,
  { keeps, io }: { readonly keeps: boolean; readonly io: Io },
  launcher: Launcher,
): Promise<ReachedService> {
  const there = await findEndpoint(args, launcher);
  if (there !== null) return existingService(there);
  const { data_folder } = await launcher.modelPlace(args);
  const passing = keeps || existsSync(data_folder) ? null : mkdtempSync(join(tmpdir(), 'assay-plan-'));
  const own = passing === null ? args : { ...args, data: passing };
  const forget = () => {
    if (passing !== null) rmSync(passing, { recursive: true, force: true });
  };
  try {
    const service = await startOrJoin(
      { ...own, host: '127.0.0.1', port: 0, root: [folder], quiet: true },
      io,
      launcher,
    );
    if ('address' in service) return existingService(service);
    const place = await launcher.findService(own);
    if (place === null) throw new AssayError('internal', 'the service was started but does not respond');
    return {
      client: createServiceClient(place),
      stays: false,
      done: async () => {
        await service.stop();
        forget();
      },
    };
  } catch (thrown) {
    forget();
    throw thrown;
  }
}

const existingService = (place: ServiceEndpoint): ReachedService => ({
  client: createServiceClient(place),
  stays: true,
  done: async () => {},
});

/** Limits for waiting on another process that starts or stops: number of attempts, and ms between them. */
const startRetry = { tries: 60, between_ms: 500 } as const;

/**
 * Starts a service, or connects to the one that another process is starting. Waits while one is stopping; rethrows
 * `folder_locked` after the last attempt.
 */
async function startOrJoin(
  args: ServeArguments,
  io: Io,
  launcher: Launcher,
): Promise<{ stop(): Promise<void> } | ServiceEndpoint> {
  for (let tried = 0; ; tried++) {
    try {
      const { stop } = await launcher.startService(args);
      return { stop };
    } catch (thrown) {
      if (!(thrown instanceof AssayError) || thrown.code !== 'folder_locked') throw thrown;
      if (tried === startRetry.tries || io.signal.aborted) throw thrown;
      if (tried === 0) io.note(`assay: waiting: ${thrown.message}\n`);
    }
    const place = await launcher.findService(args);
    if (place !== null) return place;
    await pause(startRetry.between_ms, undefined, { signal: io.signal }).catch(() => {});
  }
}
