import { Argument, type Command, type Option } from 'commander';
import type { Io } from './io.ts';

const completionScripts: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** Declares `assay completion SHELL`, which prints a completion script for all declared commands. */
export function addCompletion(program: Command, io: Io): void {
  program
    .command('completion')
    .description('Print a shell completion script for commands and options')
    .addArgument(new Argument('<shell>', 'Shell').choices(Object.keys(completionScripts)))
    .action(async (shell: string) => io.out(completionScripts[shell](commandsOf(program))));
}

/** A command with what completion needs to know of it. */
interface CompletedCommand {
  /** Names of the command below the program, such as `['token', 'create']`; empty for the program itself. */
  readonly path: readonly string[];
  readonly about: string;
  readonly commands: readonly { readonly name: string; readonly about: string }[];
  readonly options: readonly CompletedOption[];
  /** Allowed values of the first argument; `null` if it is a file or there is none. */
  readonly choices: readonly string[] | null;
}

interface CompletedOption {
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
    options: [...options.filter(({ hidden }) => !hidden).map(optionOf), helpOption],
    choices: registeredArguments[0]?.argChoices ?? null,
  };
  return [here, ...commands.flatMap((each) => commandsOf(each, [...path, each.name()]))];
}

const helpOption: CompletedOption = {
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
const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Joins the names of a command as the scripts match them: ` token create`. */
const casePattern = (path: readonly string[]): string => path.map((name) => ` ${name}`).join('');

/** Returns a bash script that completes commands, options and option values, and file names otherwise. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const places = commands
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => shellQuoted(casePattern(path)));
  return `# Use with eval "$(assay completion bash)", or save to a file in /etc/bash_completion.d
_assay() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" at='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in ${places.join('|')}) at="$at $word" ;; esac
  done
  COMPREPLY=()
  case "$at $before" in
${commands.flatMap(bashValueCases).join('\n')}
  esac
  case "$at" in
${commands.map(bashWordCase).join('\n')}
  esac
}
complete -o filenames -o bashdefault -o default -F _assay assay
`;
}

function bashValueCases({ path, options }: CompletedCommand): string[] {
  return options.flatMap(({ flags, takesValue, choices }) =>
    takesValue
      ? flags.map(
          (flag) => `    ${shellQuoted(`${casePattern(path)} ${flag}`)}) ${bashReply(choices)} return ;;`,
        )
      : [],
  );
}

const bashReply = (choices: readonly string[] | null): string =>
  choices === null ? '' : `COMPREPLY=($(compgen -W ${shellQuoted(choices.join(' '))} -- "$current"));`;

function bashWordCase({ path, commands, options, choices }: CompletedCommand): string {
  const flags = options.flatMap((option) => option.flags);
  const words = [...commands.map(({ name }) => name), ...(choices ?? [])];
  return `    ${shellQuoted(casePattern(path))}) if [[ $current == -* ]]; then ${bashReply(flags)} else ${words.length === 0 ? ':;' : bashReply(words)} fi ;;`;
}

/** Returns a zsh script that completes commands and options with descriptions, and file names otherwise. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const places = commands
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => shellQuoted(casePattern(path)));
  return `#compdef assay
# Use with eval "$(assay completion zsh)" after compinit, or save to a file _assay on your fpath
_assay() {
  local at='' word before="\${words[CURRENT-1]}"
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in ${places.join('|')}) at="$at $word" ;; esac
  done
  case "$at $before" in
${commands.flatMap(zshValueCases).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    case "$at" in
${commands
  .map((command) =>
    zshCase(
      command,
      command.options.flatMap(({ flags, about }) => flags.map((name) => ({ name, about }))),
    ),
  )
  .join('\n')}
    esac
    _describe option found
    return
  fi
  case "$at" in
${commands.map((command) => zshCase(command, [...command.commands, ...(command.choices ?? []).map((name) => ({ name, about: name }))])).join('\n')}
  esac
  if (( $#found )); then _describe command found; else _files; fi
}
compdef _assay assay
`;
}

function zshValueCases({ path, options }: CompletedCommand): string[] {
  return options.flatMap(({ flags, takesValue, choices }) =>
    takesValue
      ? flags.map(
          (flag) =>
            `    ${shellQuoted(`${casePattern(path)} ${flag}`)}) ${choices === null ? '_files' : `compadd -- ${choices.map(shellQuoted).join(' ')}`}; return ;;`,
        )
      : [],
  );
}

function zshCase({ path }: CompletedCommand, words: readonly { name: string; about: string }[]): string {
  const found = words.map(({ name, about }) => shellQuoted(`${name.replaceAll(':', '\\:')}:${about}`));
  return `    ${shellQuoted(casePattern(path))}) found=(${found.join(' ')}) ;;`;
}

/** Returns a fish script with a `complete` line for each command and option, each active below its command only. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const places = commands
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => fishQuoted(casePattern(path)));
  return `# assay completion fish > ~/.config/fish/completions/assay.fish
function __assay_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${places.join(' ')}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${commands.flatMap(fishLines).join('\n')}
`;
}

function fishLines({ path, commands, options, choices }: CompletedCommand): string[] {
  const start = `complete -c assay -n ${fishQuoted(`__assay_at "${casePattern(path)}"`)}`;
  return [
    ...commands.map(({ name, about }) => `${start} -f -a ${fishQuoted(name)} -d ${fishQuoted(about)}`),
    ...(choices === null ? [] : [`${start} -f -a ${fishQuoted(choices.join(' '))}`]),
    ...options.map((option) => `${start} ${fishOption(option)}`),
  ];
}

function fishOption({ flags, about, takesValue, choices }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = choices !== null ? ` -x -a ${fishQuoted(choices.join(' '))}` : takesValue ? ' -r' : '';
  return `${names.join(' ')}${value} -d ${fishQuoted(about)}`;
}

const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
