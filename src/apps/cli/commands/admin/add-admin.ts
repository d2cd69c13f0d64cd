import { type Command, InvalidArgumentError } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { dataOption } from '../../work-options.ts';

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
    .option('--expires <time>', 'Lifetime, such as 12h, 30d or 1y (default: no expiry)', period)
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
      'Head printed by an earlier check; detects a log that was replaced since then',
    )
    .option(...dataOption)
    .option('--json', 'Print JSON')
    .action(async (args) => {
      const { verifyAuditCommand } = await import('./audit.ts');
      exit(await verifyAuditCommand(args, io, launcher));
    });
}

const year_s = 365 * 86_400;
const seconds = new Map([
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
function period(text: string): number {
  const match = /^([1-9]\d{0,6})([mhdwy])$/.exec(text);
  const length = match === null ? 0 : Number(match[1]) * (seconds.get(match[2]) ?? 0);
  if (length > 0 && length <= maxLifetime_s) return length;
  throw new InvalidArgumentError(
    'Use a whole number with a unit (m, h, d, w or y), at most 10y, such as 30d.',
  );
}
