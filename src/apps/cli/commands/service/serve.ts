import { requestOf } from '#client';
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
  io.note('assay: stopping; waiting for work in progress to finish\n');
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
    '             (works once, within 30 minutes; `assay open` creates another link)',
    `Service:     ${address}`,
    `API:         ${address}${requestOf('open_docs', {}).path}`,
    ...(admin_token === null ? [] : [`Admin token: ${admin_token}  (shown only now)`]),
    ...(admin_token_file === null ? [] : [`Token file:  ${admin_token_file}`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Runs `assay worker`: processes runs that a service on the same database queues, until it is stopped. */
export async function workerCommand(args: WorkerArguments, io: Io, launcher: Launcher): Promise<number> {
  const worker = await launcher.startWorker(args);
  io.note('assay: worker started; waiting for runs in the database\n');
  await untilStopped(io);
  io.note('assay: stopping; waiting for work in progress to finish\n');
  await worker.stop();
  return 0;
}
