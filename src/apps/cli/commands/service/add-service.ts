import { type Command, InvalidArgumentError, Option } from 'commander';
import { targetProfileIds, useCaseIds } from '#core/api';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { dataOption, withWork } from '../../work-options.ts';

const several = (value: string, before: string[] = []) => [...before, value];

/** Declares `serve`, `worker`, `ingest`, `start` and `open`; each loads its implementation when it runs. */
export function addServiceCommands(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  addServe(program, io, exit, launcher);
  addWorker(program, io, exit, launcher);
  addIngest(program, io, exit, launcher);
  addStart(program, io, exit, launcher);
  addOpen(program, io, exit, launcher);
}

function addServe(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('serve')
    .description('serve the HTTP API and do the work of runs')
    .option(...dataOption)
    .option('--host <address>', 'address to listen on (default: ASSAY_HOST, or this machine only)')
    .option('--port <n>', 'port to listen on (default: ASSAY_PORT, or 8420)', port)
    .option('--root <dir>', 'a folder that recordings may be read from; may be repeated', several)
    .option('--no-work', 'leave the work to `assay worker` processes')
    .action(async (args) => {
      const { serveCommand } = await import('./serve.ts');
      exit(await serveCommand(args, io, launcher));
    });
}

function addWorker(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('worker')
    .description('do the work of runs that a service on the same PostgreSQL queues')
    .option(...dataOption)
    .option('--lanes <layers>', 'do only these annotation layers, separated by commas, and no runs')
    .action(async (args) => {
      const { workerCommand } = await import('./serve.ts');
      exit(await workerCommand(args, io, launcher));
    });
}

function addStart(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  withWork(
    program
      .command('start')
      .description('assess a path, or samples, then serve them: what `npm start` does')
      .argument('[path]', 'file or folder; absent: sample recordings, some of them spoiled on purpose'),
  )
    .option('--out <dir>', 'where samples and reports go', 'assay-report')
    .option(...dataOption)
    .option('--port <n>', 'port to listen on (default: ASSAY_PORT, or 8420, or a free one)', port)
    .option('--no-serve', 'end after the table')
    .action(async (path, args) => {
      const { startCommand } = await import('./start.ts');
      exit(await startCommand(path, args, io, launcher));
    });
}

function addOpen(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('open')
    .description('sign a browser in to the service that runs here, with a link that works once')
    .option(...dataOption)
    .option('--url <address>', 'a service elsewhere')
    .addOption(new Option('--token <token>', 'for --url').env('ASSAY_TOKEN'))
    .option('--no-browser', 'print the link only')
    .option('--json', 'print the link as JSON only')
    .action(async (args) => {
      const { openCommand } = await import('./open.ts');
      exit(await openCommand(args, io, launcher));
    });
}

function addIngest(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('ingest')
    .description('run a folder of recordings through the service: episodes, receipts, findings')
    .argument('<path>', 'file or folder')
    .option(...dataOption)
    .option('--workspace <name>', 'made if it does not exist', 'default')
    .option('--project <name>', 'made if it does not exist (default: the name of the folder)')
    .addOption(
      new Option(
        '--use-case <id>',
        'of a workspace that is created; a use case that weights checks changes scores',
      )
        .choices(useCaseIds)
        .default('data-assessment'),
    )
    .addOption(new Option('--profile <id>', 'of a project that is made').choices(targetProfileIds))
    .option('--plan', 'print the plan and start nothing')
    .option('--url <address>', 'a service elsewhere; its machine must see the path')
    .addOption(new Option('--token <token>', 'for --url').env('ASSAY_TOKEN'))
    .option('--json', 'print the run as JSON')
    .action(async (path, args) => {
      const { ingestCommand } = await import('./ingest.ts');
      exit(await ingestCommand(path, args, io, launcher));
    });
}

function port(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > 65_535) {
    throw new InvalidArgumentError('It must be a port from 0 to 65535.');
  }
  return number;
}
