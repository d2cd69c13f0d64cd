import { type Command, InvalidArgumentError } from 'commander';
import type { Exit } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { dataOption } from '../../work-options.ts';

/** Declares `assay models list`, `pull` and `verify`; none needs a running service. */
export function addModelCommands(program: Command, io: Io, exit: Exit, launcher: Launcher): void {
  const models = program.command('models').description('models that layers use, and their weights here');
  const described = (name: string, description: string) =>
    models
      .command(name)
      .description(description)
      .option(...dataOption)
      .option('--json', 'print JSON');
  described('list', 'all models: which are chosen, who chose them, and whose weights are here')
    .option('--tenant <name>', 'the tenant whose choice is shown', 'default')
    .action(async (args) => {
      const { listModelsCommand } = await import('./models-list.ts');
      exit(await listModelsCommand(args, io, launcher));
    });
  withPins(described('pull', 'download the weights of a model, or take those that were put there'))
    .argument('<model>', 'as `assay models list` names it')
    .option('--accept-hash <sha256>', 'accept a file without a pin; may be repeated', hashes)
    .action(async (model, args) => {
      const { pullModelCommand } = await import('./models-pull.ts');
      exit(await pullModelCommand(model, args, io, launcher));
    });
  withPins(described('verify', 'hash the weights that are here and compare with what they must be'))
    .argument('[model]', 'absent: every one that is here')
    .action(async (model, args) => {
      const { verifyModelsCommand } = await import('./models-verify.ts');
      exit(await verifyModelsCommand(model, args, io, launcher));
    });
}

const withPins = (command: Command): Command =>
  command.option('--pins <file>', 'JSON file of pins (docs/models.md)');

function hashes(text: string, before: readonly string[] = []): readonly string[] {
  const hash = text.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new InvalidArgumentError('It must be 64 hexadecimal digits.');
  return [...before, hash];
}
