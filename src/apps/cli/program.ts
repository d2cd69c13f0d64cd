import { Command, CommanderError } from 'commander';
import { addAsk } from './commands/ask/add-ask.ts';
import { addAssess } from './commands/assess/add-assess.ts';
import { addCache } from './commands/cache/add-cache.ts';
import { addCertify } from './commands/certify/add-certify.ts';
import { addCurate } from './commands/curate/add-curate.ts';
import { addDemo } from './commands/demo/add-demo.ts';
import { addDocs } from './commands/docs/add-docs.ts';
import { addExport } from './commands/export/add-export.ts';
import { addFix } from './commands/fix/add-fix.ts';
import { addInspect } from './commands/inspect/add-inspect.ts';
import { addLoop } from './commands/loop/add-loop.ts';
import { addMap } from './commands/map/add-map.ts';
import { addMcp } from './commands/mcp/add-mcp.ts';
import { addProbe } from './commands/probe/add-probe.ts';
import { addSearch, addSlice } from './commands/search/add-search.ts';
import { addVerify } from './commands/verify/add-verify.ts';
import { addExamples } from './examples.ts';
import type { Exit } from './exit.ts';
import type { Io } from './io.ts';
import type { Launcher } from './launcher.ts';
import { reportError } from './report-error.ts';
import { parseVersionRequest, versionText } from './version/version-text.ts';

/** Runs the command line and returns the exit code; never throws. */
export async function runCli(argv: readonly string[], io: Io, launcher: Launcher): Promise<number> {
  const version = parseVersionRequest(argv);
  if (version.asks && version.odd === undefined) {
    await io.out(versionText(argv.includes('--json')));
    return 0;
  }
  let code = 0;
  const setExit = (exit: number) => {
    code = exit;
  };
  const program = createProgram(io, setExit, launcher);
  // The service's commands load its schemas; who works without a service does not wait for them.
  if (!localCommands.has(argv[0])) await addServiceSideCommands(program, io, setExit, launcher);
  addExamples(program);
  try {
    if (version.asks) program.error(`error: unknown option '${version.odd}'`);
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
    return reportError(thrown, io, wantsJson(argv));
  }
}

/** Returns `true` if the arguments request JSON, in which case errors are printed as JSON as well. */
function wantsJson(argv: readonly string[]): boolean {
  const format = argv.indexOf('--format');
  return (
    argv.includes('--json') || argv.includes('--format=json') || (format >= 0 && argv[format + 1] === 'json')
  );
}

/** Creates the program with every command declared, for documentation and completion. Its commands cannot be run. */
export async function createWholeProgram(): Promise<Command> {
  const silent = { out: async () => {}, note: () => {} } as unknown as Io;
  const program = createProgram(silent, () => {}, {} as Launcher);
  await addServiceSideCommands(program, silent, () => {}, {} as Launcher);
  return program;
}

const localCommands: ReadonlySet<string | undefined> = new Set([
  'ask',
  'assess',
  'export',
  'search',
  'slice',
  'curate',
  'loop',
  'probe',
  'verify',
  'inspect',
  'map',
  'demo',
  'docs',
  'certify',
  'cache',
  'mcp',
  'fix',
]);

async function addServiceSideCommands(
  program: Command,
  io: Io,
  exit: Exit,
  launcher: Launcher,
): Promise<void> {
  const { addServiceCommands } = await import('./commands/service/add-service.ts');
  const { addAnnotate } = await import('./commands/annotate/add-annotate.ts');
  const { addAdminCommands } = await import('./commands/admin/add-admin.ts');
  const { addModelCommands } = await import('./commands/models/add-models.ts');
  const { addChat } = await import('./commands/chat/add-chat.ts');
  const { addCompletion } = await import('./completion/add-completion.ts');
  addServiceCommands(program, io, exit, launcher);
  addAnnotate(program, io, exit, launcher);
  addChat(program, io, exit, launcher);
  addAdminCommands(program, io, exit, launcher);
  addModelCommands(program, io, exit, launcher);
  addCompletion(program, io);
}

function createProgram(io: Io, exit: Exit, launcher: Launcher): Command {
  const program = new Command('assay')
    .description('Checks whether robot recordings are fit to train on, and shows the evidence.')
    .version(
      versionText(false).trim(),
      '-V, --version',
      'Show the versions of the program and of the API contract (with --json as JSON)',
    )
    .helpOption('-h, --help', 'Show this help')
    .helpCommand('help [command]', 'Show the help of a command')
    .showHelpAfterError('Run assay --help, or assay COMMAND --help, for usage.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void io.out(text), writeErr: (text) => io.note(text) });
  addAssess(program, io, exit, launcher);
  addAsk(program, io, exit, launcher);
  addCache(program, io, exit, launcher);
  addCertify(program, io, exit, launcher);
  addVerify(program, io, exit, launcher);
  addInspect(program, io, exit, launcher);
  addExport(program, io, exit, launcher);
  addSearch(program, io, exit, launcher);
  addSlice(program, io, exit, launcher);
  addCurate(program, io, exit, launcher);
  addLoop(program, io, exit, launcher);
  addProbe(program, io, exit, launcher);
  addMap(program, io, exit);
  addMcp(program, io, exit, launcher);
  addFix(program, io, exit);
  addDemo(program, io, exit, launcher);
  addDocs(program, io, exit);
  program.addHelpText(
    'after',
    '\nExit codes: 0 success, 1 findings (--fail-on, verify, fix), 2 usage error, 3 unreadable input, 4 internal error or interrupted',
  );
  return program;
}
