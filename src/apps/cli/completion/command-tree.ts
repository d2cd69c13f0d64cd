import type { Command, Option } from 'commander';

/** A command with what completion needs to know of it. */
export interface CompletedCommand {
  /** Names of the command below the program, such as `['token', 'create']`; empty for the program itself. */
  readonly path: readonly string[];
  readonly about: string;
  readonly commands: readonly { readonly name: string; readonly about: string }[];
  readonly options: readonly CompletedOption[];
  /** Allowed values of the first argument; `null` if it is a file or there is none. */
  readonly choices: readonly string[] | null;
}

export interface CompletedOption {
  /** Long and short flags, such as `--out` and `-o`. */
  readonly flags: readonly string[];
  readonly about: string;
  readonly takesValue: boolean;
  /** Allowed values; `null` if any value or a file is allowed. */
  readonly choices: readonly string[] | null;
}

/** Returns the command and all commands below it. */
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
  about: 'Show help and examples',
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

/** Quotes a word for a POSIX shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Joins the names of a command as the scripts match them: ` token create`. */
export const casePattern = (path: readonly string[]): string => path.map((name) => ` ${name}`).join('');
