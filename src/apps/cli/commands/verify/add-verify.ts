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
        'check that receipts, an export or a certification bundle are unchanged since they were sealed',
      )
      .argument('<file>', 'a receipt, a folder of receipts, an export, or a bundle'),
  )
    .option('--source <path>', 'assess the recording, at a path or an address, again and compare')
    .option('--plain-http', plainHttp)
    .option('--key <file|keyid>', 'the key that a bundle must be signed by: a PEM file, or its id')
    .option('--project <id>', 'the project that a bundle must belong to')
    .option('--json', 'print the outcome as JSON')
    .action(async (path, args) => {
      const { verifyCommand } = await import('./verify.ts');
      exit(await verifyCommand(path, args, io, launcher));
    });
}
