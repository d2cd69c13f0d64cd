import type { CompletedCommand, CompletedOption } from './command-tree.ts';

/** A line a command and a line an option. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  return `# assay completion fish > ~/.config/fish/completions/assay.fish
${commands.flatMap(lines).join('\n')}
`;
}

function lines({ path, commands, options, choices }: CompletedCommand): string[] {
  const names = commands.map(({ name }) => name);
  const deeper = names.length === 0 ? '' : `; and not __fish_seen_subcommand_from ${names.join(' ')}`;
  const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
  const here = path.length === 0 ? '__fish_use_subcommand' : `${seen}${deeper}`;
  const start = `complete -c assay -n ${quoted(here)}`;
  return [
    ...commands.map(({ name, about }) => `${start} -f -a ${quoted(name)} -d ${quoted(about)}`),
    ...(choices === null ? [] : [`${start} -f -a ${quoted(choices.join(' '))}`]),
    ...options.map((option) => `${start} ${optionText(option)}`),
  ];
}

function optionText({ flags, about, takesValue, choices }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = choices !== null ? ` -x -a ${quoted(choices.join(' '))}` : takesValue ? ' -r' : '';
  return `${names.join(' ')}${value} -d ${quoted(about)}`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
