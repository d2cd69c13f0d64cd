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
      .description('Check recordings against a policy and write a signed report that anyone can verify')
      .argument('<path>', 'File, folder, hf://datasets/OWNER/NAME[@REVISION] or https://host/folder'),
  )
    .requiredOption(
      '--out <dir>',
      'Write report.json, report.html, policy.json, receipts and bundle.zip to this folder',
    )
    .addOption(new Option('--target <id>', 'Use the default policy of this target').choices(targetProfileIds))
    .option('--policy <file>', 'Use the policy in this JSON file (docs/certification.md)')
    .option(
      '--sign-key <file>',
      'Sign the bundle with the Ed25519 private key in this PEM file (default: your own key)',
    )
    .option('--project <id>', 'Id of the service project that the report will be imported into')
    .addOption(
      new Option('--pictures <which>', 'Frames to decode. all: compare every frame (docs/assess-again.md)')
        .choices(pictureScopes)
        .default('sampled'),
    )
    .option('--cache <dir>', 'Folder for cached measurements (docs/assess-again.md)')
    .option('--no-cache', 'Do not use the cache: measure everything again')
    .option('--plain-http', plainHttp)
    .option('--json', 'Print the report as JSON')
    .action(async (path, args) => {
      const { certifyCommand } = await import('./certify.ts');
      exit(await certifyCommand(path, { ...args, cache: cacheOf(args.cache, launcher) }, io, launcher));
    });
}
