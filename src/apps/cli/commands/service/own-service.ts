import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AssayError } from '#core';
import type { Io } from '../../io.ts';
import type { Launcher, ServeArguments } from '../../launcher.ts';
import { createServiceClient, type ServicePlace } from '../../service-client.ts';
import { findPlace, type PlaceArguments } from '../../service-place.ts';

/** A service that a command speaks to. */
export interface ReachedService {
  readonly client: ReturnType<typeof createServiceClient>;
  /** False: the service was started for this and ends with it. */
  readonly stays: boolean;
  done(): Promise<void>;
}

/**
 * The service that is meant, or one that is started for as long as it takes and may read `folder`. `keeps` false: where
 * there is no data folder yet, none is made.
 */
export async function reachOrStart(
  folder: string,
  args: PlaceArguments,
  { keeps, io }: { readonly keeps: boolean; readonly io: Io },
  launcher: Launcher,
): Promise<ReachedService> {
  const there = await findPlace(args, launcher);
  if (there !== null) return staying(there);
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
    if ('address' in service) return staying(service);
    const place = await launcher.findService(own);
    if (place === null) throw new AssayError('internal', 'the service that was started does not answer');
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

const staying = (place: ServicePlace): ReachedService => ({
  client: createServiceClient(place),
  stays: true,
  done: async () => {},
});

/** How long another process may take to start or to stop. */
const patience = { tries: 60, between_ms: 500 } as const;

/** Starts a service, or finds the one that another process is starting; waits while one is stopping. */
async function startOrJoin(
  args: ServeArguments,
  io: Io,
  launcher: Launcher,
): Promise<{ stop(): Promise<void> } | ServicePlace> {
  for (let tried = 0; ; tried++) {
    try {
      const { stop } = await launcher.startService(args);
      return { stop };
    } catch (thrown) {
      if (!(thrown instanceof AssayError) || thrown.code !== 'folder_locked') throw thrown;
      if (tried === patience.tries || io.signal.aborted) throw thrown;
      if (tried === 0) io.note(`assay: waiting: ${thrown.message}\n`);
    }
    const place = await launcher.findService(args);
    if (place !== null) return place;
    await pause(patience.between_ms, undefined, { signal: io.signal }).catch(() => {});
  }
}
