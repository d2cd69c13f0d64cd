import { type Command, InvalidArgumentError, Option } from 'commander';
import { targetProfileIds, useCaseIds } from '#core/api';
import type { Exit, Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { dataOption, loaderOption } from '../../work-options.ts';

const collectRoots = (value: string, before: string[] = []) => [...before, value];

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
    .option('--port <n>', 'Port to listen on (default: ASSAY_PORT, or 8420)', parsePort)
    .option('--root <dir>', 'Folder that recordings may be read from. Repeatable', collectRoots)
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
    .option(
      '--lanes <layers>',
      'Process only jobs of these annotation layers, separated by commas, and no runs',
    )
    .action(async (args) => {
      const { workerCommand } = await import('./serve.ts');
      exit(await workerCommand(args, io, launcher));
    });
}

function addStart(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('start')
    .description(
      'Start the service with a path or sample recordings, and assess them (what `npm start` does)',
    )
    .argument('[path]', 'File or folder (default: sample recordings, some corrupted on purpose)')
    .option(...loaderOption)
    .option('--samples <dir>', 'Folder for the generated sample recordings', 'assay-samples')
    .option(...dataOption)
    .option('--port <n>', 'Port to listen on (default: ASSAY_PORT, or 8420, or a free port)', parsePort)
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
    .addOption(new Option('--token <token>', 'Token of the service at --url').env('ASSAY_TOKEN'))
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
    .description('Import recordings into the service and assess them')
    .argument('<path>', 'File or folder')
    .option(...dataOption)
    .option('--workspace <name>', 'Workspace, created if it does not exist', 'default')
    .option('--project <name>', 'Project, created if it does not exist (default: name of the folder)')
    .addOption(
      new Option(
        '--use-case <id>',
        'Use case of a new workspace; some use cases weight checks differently, which changes scores',
      )
        .choices(useCaseIds)
        .default('data-assessment'),
    )
    .addOption(new Option('--profile <id>', 'Training target of a new project').choices(targetProfileIds))
    .option('--plan', 'Print the plan without starting a run')
    .option(
      '--url <address>',
      'Base URL of a remote service, which must be able to read the path on its own machine',
    )
    .addOption(new Option('--token <token>', 'Token of the service at --url').env('ASSAY_TOKEN'))
    .option('--json', 'Print the run as JSON')
    .action(async (path, args) => {
      const { ingestCommand } = await import('./ingest.ts');
      exit(await ingestCommand(path, args, io, launcher));
    });
}

function parsePort(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > 65_535) {
    throw new InvalidArgumentError('Must be a port number from 0 to 65535.');
  }
  return number;
}

/** Declares `assay chat`; its implementation is loaded when it runs. */
export function addChat(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('chat')
    .description('Chat with the copilot of a running service; it asks before it spends or deletes anything')
    .argument('[message...]', 'A single message (default: interactive chat on standard input)')
    .option('--project <id or name>', 'Project to chat about (default: all projects)')
    .option('--thread <id>', 'Id of the chat to continue')
    .option('--model <model>', 'Model to use (default: the first model of the service)')
    .option(...dataOption)
    .option('--url <address>', 'Base URL of a remote service')
    .addOption(new Option('--token <token>', 'Token of the service at --url').env('ASSAY_TOKEN'))
    .option('--json', 'Print every event as one line of JSON; actions that need approval are not run')
    .action(async (message, args) => {
      const { chatCommand } = await import('./chat.ts');
      exit(await chatCommand(message, args, io, launcher));
    });
}

/**
 * Declares `assay token` and `assay audit`, for the owner of the installation. Option values are validated by the API
 * schemas when a command runs.
 */
export function addAdminCommands(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  addToken(program, io, exit, launcher);
  addAudit(program, io, exit, launcher);
}

function addToken(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const token = program.command('token').description('Manage access tokens of the service');
  const load = () => import('./token.ts');
  inTenant(token.command('create').description('Create a token and print it; it is not shown again'))
    .requiredOption('--role <role>', 'Role: viewer, reviewer, engineer or admin')
    .option('--name <name>', 'Label of the token', 'created on the command line')
    .option('--expires <time>', 'Lifetime, such as 12h, 30d or 1y (default: no expiry)', parseLifetime)
    .option('--new-tenant', 'Create the tenant if it does not exist')
    .action(async (args) => exit(await (await load()).createTokenCommand(args, io, launcher)));
  inTenant(token.command('list').description('List tokens and invitations, newest first')).action(
    async (args) => exit(await (await load()).listTokensCommand(args, io, launcher)),
  );
  inTenant(
    token
      .command('revoke')
      .description('Revoke a token or an invitation')
      .argument('<id>', 'Id of the token (tok_…)'),
  ).action(async (id, args) => exit(await (await load()).revokeTokenCommand(id, args, io, launcher)));
}

function inTenant(command: Command): Command {
  return command
    .option('--tenant <name>', 'Tenant', 'default')
    .option(...dataOption)
    .option('--json', 'Print JSON');
}

function addAudit(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  program
    .command('audit')
    .description('Audit log: who changed what')
    .command('verify')
    .description('Check the audit log for changed, removed, reordered or added rows')
    .option('--tenant <name>', 'Check only this tenant (default: all)')
    .option(
      '--head <sequence:digest>',
      'Head (number:hash) printed by an earlier check; detects whether the log was replaced since then',
    )
    .option(...dataOption)
    .option('--json', 'Print JSON')
    .action(async (args) => {
      const { verifyAuditCommand } = await import('./audit.ts');
      exit(await verifyAuditCommand(args, io, launcher));
    });
}

const year_s = 365 * 86_400;
const unit_s = new Map([
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
  ['w', 7 * 86_400],
  ['y', year_s],
]);
const maxLifetime_s = 10 * year_s;

/**
 * Parses a lifetime such as `30d` into seconds. Throws `InvalidArgumentError` unless it is a whole number with m, h, d,
 * w or y, at most ten years.
 */
function parseLifetime(text: string): number {
  const match = /^([1-9]\d{0,6})([mhdwy])$/.exec(text);
  const length = match === null ? 0 : Number(match[1]) * (unit_s.get(match[2]) ?? 0);
  if (length > 0 && length <= maxLifetime_s) return length;
  throw new InvalidArgumentError(
    'Use a whole number with a unit (m, h, d, w or y), at most 10y, such as 30d.',
  );
}
