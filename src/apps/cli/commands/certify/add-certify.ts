import { type Command, Option } from 'commander';
import { targetProfileIds } from '#core/api';
import { pictureScopes } from '#core/episode';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { cacheOf, plainHttp, withWork } from '../../work-options.ts';

/** Declares `assay certify`; its implementation is loaded when it runs. */
export function addCertify(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  withWork(
    program
      .command('certify')
      .description('check recordings against a policy and write a report that anybody can verify')
      .argument('<path>', 'file, folder, hf://datasets/OWNER/NAME[@REVISION] or https://host/folder'),
  )
    .requiredOption(
      '--out <dir>',
      'write report.json, report.html, policy.json, receipts and bundle.zip there',
    )
    .addOption(
      new Option('--target <id>', 'hold them against the default policy of this target').choices(
        targetProfileIds,
      ),
    )
    .option('--policy <file>', 'hold them against the policy in this JSON file (docs/certification.md)')
    .option(
      '--sign-key <file>',
      'sign the bundle with the Ed25519 private key in this PEM file, instead of your own',
    )
    .option('--project <id>', 'project of a service that the report is to be imported into')
    .addOption(
      new Option('--pictures <which>', 'all: compare every frame (docs/assess-again.md)')
        .choices(pictureScopes)
        .default('sampled'),
    )
    .option('--cache <dir>', 'keep what is measured there, for the next time (docs/assess-again.md)')
    .option('--no-cache', 'measure everything again and keep nothing')
    .option('--plain-http', plainHttp)
    .option('--json', 'print the report as JSON')
    .action(async (path, args) => {
      const { certifyCommand } = await import('./certify.ts');
      exit(await certifyCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}
