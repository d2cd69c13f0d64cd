import { type Command, InvalidArgumentError } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { dataOption } from '../../work-options.ts';

/** Declares `assay models list`, `pull` and `verify`; none needs a running service. */
export function addModelCommands(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const models = program
    .command('models')
    .description('Manage the models of annotation layers and their weights');
  const described = (name: string, description: string) =>
    models
      .command(name)
      .description(description)
      .option(...dataOption)
      .option('--json', 'Print JSON');
  described('list', 'List all models: which are selected, by whom, and whether their weights are installed')
    .option('--tenant <name>', 'Tenant whose selection is shown', 'default')
    .action(async (args) => {
      const { listModelsCommand } = await import('./models-list.ts');
      exit(await listModelsCommand(args, io, launcher));
    });
  withPins(
    described('pull', 'Download the weights of a model, or install weights that were copied to the folder'),
  )
    .argument('<model>', 'Model id, as listed by `assay models list`')
    .option('--accept-hash <sha256>', 'Accept a file that has no pin, by its hash. Repeatable', hashes)
    .action(async (model, args) => {
      const { pullModelCommand } = await import('./models-pull.ts');
      exit(await pullModelCommand(model, args, io, launcher));
    });
  withPins(described('verify', 'Check the hashes of installed weights against their pins'))
    .argument('[model]', 'Model id (default: all installed models)')
    .action(async (model, args) => {
      const { verifyModelsCommand } = await import('./models-verify.ts');
      exit(await verifyModelsCommand(model, args, io, launcher));
    });
}

const withPins = (command: Command): Command =>
  command.option('--pins <file>', 'JSON file with pins, the expected hashes (docs/models.md)');

function hashes(text: string, before: readonly string[] = []): readonly string[] {
  const hash = text.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new InvalidArgumentError('Must be 64 hexadecimal digits.');
  return [...before, hash];
}
