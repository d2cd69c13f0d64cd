import type { Command, Option } from 'commander';

/** A command as completion sees it. */
export interface CompletedCommand {
  /** Names from the program's on, without it: `['token', 'create']`; none for the program. */
  readonly path: readonly string[];
  readonly about: string;
  readonly commands: readonly { readonly name: string; readonly about: string }[];
  readonly options: readonly CompletedOption[];
  /** What its first argument may be; null where it is a file or none. */
  readonly choices: readonly string[] | null;
}

export interface CompletedOption {
  /** `--out`, and `-h` where it has one. */
  readonly flags: readonly string[];
  readonly about: string;
  readonly takesValue: boolean;
  /** Null where it is a file or anything. */
  readonly choices: readonly string[] | null;
}

/** Every command of the program, as it was declared. */
export function commandsOf(command: Command, path: readonly string[] = []): CompletedCommand[] {
  const { commands, options, registeredArguments } = command;
  const here: CompletedCommand = {
    path,
    about: command.description(),
    commands: commands.map((each) => ({ name: each.name(), about: each.description() })),
    options: [...options.filter(({ hidden }) => !hidden).map(optionOf), help],
    choices: registeredArguments[0]?.argChoices ?? null,
  };
  return [here, ...commands.flatMap((each) => commandsOf(each, [...path, each.name()]))];
}

const help: CompletedOption = {
  flags: ['--help'],
  about: 'say what it does, with examples',
  takesValue: false,
  choices: null,
};

function optionOf({ long, short, description, required, optional, argChoices }: Option): CompletedOption {
  return {
    flags: [long, short].filter((flag) => flag !== undefined && flag !== null),
    about: description,
    takesValue: required || optional,
    choices: argChoices ?? null,
  };
}

/** A word for a POSIX shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Names of a command as `case` patterns see them: ` token create`. */
export const placeOf = (path: readonly string[]): string => path.map((name) => ` ${name}`).join('');
