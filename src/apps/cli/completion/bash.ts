import { type CompletedCommand, casePattern, shellQuoted } from './command-tree.ts';

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
${commands.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${commands.map(wordCase).join('\n')}
  esac
}
complete -o filenames -o bashdefault -o default -F _assay assay
`;
}

function valueCases({ path, options }: CompletedCommand): string[] {
  return options.flatMap(({ flags, takesValue, choices }) =>
    takesValue
      ? flags.map((flag) => `    ${shellQuoted(`${casePattern(path)} ${flag}`)}) ${reply(choices)} return ;;`)
      : [],
  );
}

const reply = (choices: readonly string[] | null): string =>
  choices === null ? '' : `COMPREPLY=($(compgen -W ${shellQuoted(choices.join(' '))} -- "$current"));`;

function wordCase({ path, commands, options, choices }: CompletedCommand): string {
  const flags = options.flatMap((option) => option.flags);
  const words = [...commands.map(({ name }) => name), ...(choices ?? [])];
  return `    ${shellQuoted(casePattern(path))}) if [[ $current == -* ]]; then ${reply(flags)} else ${words.length === 0 ? ':;' : reply(words)} fi ;;`;
}
