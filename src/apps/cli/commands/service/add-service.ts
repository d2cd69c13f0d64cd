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
    .description('Start the service: web application, HTTP API and processing of runs')
    .option(...dataOption)
    .option('--host <address>', 'Address to listen on (default: ASSAY_HOST, or 127.0.0.1)')
    .option('--port <n>', 'Port to listen on (default: ASSAY_PORT, or 8420)', port)
    .option('--root <dir>', 'Folder that recordings may be read from. Repeatable', several)
    .option('--no-work', 'Do not process runs; leave that to `assay worker` processes')
    .action(async (args) => {
      const { serveCommand } = await import('./serve.ts');
      exit(await serveCommand(args, io, launcher));
    });
}

function addWorker(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('worker')
    .description('Process the runs that a service on the same PostgreSQL database queues')
    .option(...dataOption)
    .option('--lanes <layers>', 'Process only these annotation layers, separated by commas, and no runs')
    .action(async (args) => {
      const { workerCommand } = await import('./serve.ts');
      exit(await workerCommand(args, io, launcher));
    });
}

function addStart(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  withWork(
    program
      .command('start')
      .description('Assess a path or sample recordings, then serve them (what `npm start` does)')
      .argument('[path]', 'File or folder (default: sample recordings, some corrupted on purpose)'),
  )
    .option('--out <dir>', 'Folder for samples and reports', 'assay-report')
    .option(...dataOption)
    .option('--port <n>', 'Port to listen on (default: ASSAY_PORT, or 8420, or a free port)', port)
    .option('--no-serve', 'Exit after printing the table')
    .action(async (path, args) => {
      const { startCommand } = await import('./start.ts');
      exit(await startCommand(path, args, io, launcher));
    });
}

function addOpen(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('open')
    .description('Open the running service in a browser, signed in with a one-time link')
    .option(...dataOption)
    .option('--url <address>', 'Base URL of a remote service')
    .addOption(new Option('--token <token>', 'Token for --url').env('ASSAY_TOKEN'))
    .option('--no-browser', 'Print the link without opening a browser')
    .option('--json', 'Print the link as JSON without opening a browser')
    .action(async (args) => {
      const { openCommand } = await import('./open.ts');
      exit(await openCommand(args, io, launcher));
    });
}

function addIngest(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('ingest')
    .description('Import recordings into the service and assess them: episodes, receipts, findings')
    .argument('<path>', 'File or folder')
    .option(...dataOption)
    .option('--workspace <name>', 'Workspace, created if it does not exist', 'default')
    .option('--project <name>', 'Project, created if it does not exist (default: name of the folder)')
    .addOption(
      new Option(
        '--use-case <id>',
        'Use case of a workspace that is created; some use cases weight checks and so change scores',
      )
        .choices(useCaseIds)
        .default('data-assessment'),
    )
    .addOption(
      new Option('--profile <id>', 'Target profile of a project that is created').choices(targetProfileIds),
    )
    .option('--plan', 'Print the plan without starting a run')
    .option('--url <address>', 'Base URL of a remote service; its machine must be able to read the path')
    .addOption(new Option('--token <token>', 'Token for --url').env('ASSAY_TOKEN'))
    .option('--json', 'Print the run as JSON')
    .action(async (path, args) => {
      const { ingestCommand } = await import('./ingest.ts');
      exit(await ingestCommand(path, args, io, launcher));
    });
}

function port(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > 65_535) {
    throw new InvalidArgumentError('Must be a port number from 0 to 65535.');
  }
  return number;
}
