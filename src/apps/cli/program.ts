import { Command, CommanderError } from 'commander';
import { contractVersions } from '#core/api';
import {
  addCurate,
  addExport,
  addLoop,
  addProbe,
  addSearch,
  addSlice,
} from './commands/curation/add-curation-commands.ts';
import { addAsk, addCache, addDemo, addDocs, addMcp } from './commands/general/add-general-commands.ts';
import {
  addAssess,
  addCertify,
  addFix,
  addInspect,
  addMap,
  addVerify,
} from './commands/recordings/add-recording-commands.ts';
import { addExamples } from './examples.ts';
import type { Exit, Io } from './io.ts';
import type { Launcher } from './launcher.ts';
import { reportError } from './report-error.ts';
import { version } from './version.ts';

/** Runs the command line and returns the exit code; never throws. */
export async function runCli(argv: readonly string[], io: Io, launcher: Launcher): Promise<number> {
  const versionRequest = parseVersionRequest(argv);
  if (versionRequest.asks && versionRequest.odd === undefined) {
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
    if (versionRequest.asks) program.error(`error: unknown option '${versionRequest.odd}'`);
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
  const { addServiceCommands, addChat, addAdminCommands } = await import(
    './commands/service/add-service-commands.ts'
  );
  const { addAnnotate, addModelCommands } = await import('./commands/annotation/add-annotation-commands.ts');
  const { addCompletion } = await import('./completion.ts');
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

/** Returns the output of `assay --version`, as a line of text or as JSON. */
function versionText(json: boolean): string {
  const { api, version: contract } = contractVersions;
  return json
    ? `${JSON.stringify({ version, contract: contractVersions, node: process.versions.node }, null, 2)}\n`
    : `${version} (contract ${api}, ${contract}; Node ${process.versions.node})\n`;
}

/** Returns whether the arguments ask for the version, and the first option that is not allowed beside it. */
function parseVersionRequest(argv: readonly string[]): {
  readonly asks: boolean;
  readonly odd?: string;
} {
  const odd = argv.slice(1).find((word) => word.startsWith('-') && word !== '--json');
  return { asks: argv[0] === '--version' || argv[0] === '-V', ...(odd === undefined ? {} : { odd }) };
}
