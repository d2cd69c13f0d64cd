import { type CompletedCommand, casePattern, shellQuoted } from './command-tree.ts';

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
${commands.flatMap(valueCases).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    case "$at" in
${commands
  .map((command) =>
    caseOf(
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
${commands.map((command) => caseOf(command, [...command.commands, ...(command.choices ?? []).map((name) => ({ name, about: name }))])).join('\n')}
  esac
  if (( $#found )); then _describe command found; else _files; fi
}
compdef _assay assay
`;
}

function valueCases({ path, options }: CompletedCommand): string[] {
  return options.flatMap(({ flags, takesValue, choices }) =>
    takesValue
      ? flags.map(
          (flag) =>
            `    ${shellQuoted(`${casePattern(path)} ${flag}`)}) ${choices === null ? '_files' : `compadd -- ${choices.map(shellQuoted).join(' ')}`}; return ;;`,
        )
      : [],
  );
}

function caseOf({ path }: CompletedCommand, words: readonly { name: string; about: string }[]): string {
  const found = words.map(({ name, about }) => shellQuoted(`${name.replaceAll(':', '\\:')}:${about}`));
  return `    ${shellQuoted(casePattern(path))}) found=(${found.join(' ')}) ;;`;
}
