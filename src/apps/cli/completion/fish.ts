import { type CompletedCommand, type CompletedOption, casePattern } from './command-tree.ts';

/** Returns a fish script with a `complete` line for each command and option, each active below its command only. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const places = commands.filter(({ path }) => path.length > 0).map(({ path }) => quoted(casePattern(path)));
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
${commands.flatMap(lines).join('\n')}
`;
}

function lines({ path, commands, options, choices }: CompletedCommand): string[] {
  const start = `complete -c assay -n ${quoted(`__assay_at "${casePattern(path)}"`)}`;
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
