import { requestOf } from '@assay/client';
import type { Io } from '../../io.ts';
import {
  type Launcher,
  type Running,
  type ServeArguments,
  untilStopped,
  type WorkerArguments,
} from '../../launcher.ts';

/** Runs `assay serve`: serves the HTTP API and, by default, processes runs until it is stopped. */
export async function serveCommand(args: ServeArguments, io: Io, launcher: Launcher): Promise<number> {
  const service = await launcher.startService(args);
  io.note(await greeting(service));
  await untilStopped(io);
  io.note('assay: stopping; what is under way may finish\n');
  await service.stop();
  return 0;
}

/**
 * Renders the addresses of a service and how to sign in. The admin token is shown on the first start only; the sign-in
 * link works once within 30 minutes.
 */
export async function greeting({
  address,
  admin_token,
  admin_token_file,
  signInLink,
}: Running): Promise<string> {
  const lines = [
    `Open:        ${await signInLink()}`,
    '             (opens once, within 30 minutes; `assay open` makes another)',
    `Service:     ${address}`,
    `API:         ${address}${requestOf('open_docs', {}).path}`,
    ...(admin_token === null ? [] : [`Admin token: ${admin_token}  (shown this once)`]),
    ...(admin_token_file === null ? [] : [`Token file:  ${admin_token_file}`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Runs `assay worker`: processes runs that a service on the same database queues, until it is stopped. */
export async function workerCommand(args: WorkerArguments, io: Io, launcher: Launcher): Promise<number> {
  const worker = await launcher.startWorker(args);
  io.note('assay: working; runs are taken from the database\n');
  await untilStopped(io);
  io.note('assay: stopping; units under way may finish\n');
  await worker.stop();
  return 0;
}
