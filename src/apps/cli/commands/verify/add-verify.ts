import type { Command } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { plainHttp, withWork } from '../../work-options.ts';

/** Declares `assay verify`; its implementation is loaded when it runs. */
export function addVerify(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  withWork(
    program
      .command('verify')
      .description(
        'Check that receipts, an export or a certification bundle have not changed since they were sealed',
      )
      .argument('<file>', 'Receipt, folder of receipts, export folder or bundle'),
  )
    .option('--source <path>', 'Also assess the recordings at this path or address again and compare')
    .option('--plain-http', plainHttp)
    .option('--key <file|keyid>', 'Key that a bundle must be signed with: a PEM file or a key id')
    .option('--project <id>', 'Id of the project that a bundle must belong to')
    .option('--json', 'Print the result as JSON')
    .action(async (path, args) => {
      const { verifyCommand } = await import('./verify.ts');
      exit(await verifyCommand(path, args, io, launcher));
    });
}
