import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandsOf } from '../src/apps/cli/completion.ts';
import { examples } from '../src/apps/cli/examples.ts';
import { createWholeProgram } from '../src/apps/cli/program.ts';
import { runAssay } from './run-assay.ts';

const program = await createWholeProgram();
const leaves = commandsOf(program).filter(({ commands }) => commands.length === 0);
const hasShell = (shell: string): boolean => {
  try {
    execFileSync(shell, ['-c', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe('examples', () => {
  it('are there for every command, and for no other', () => {
    expect(Object.keys(examples).sort()).toEqual(leaves.map(({ path }) => path.join(' ')).sort());
  });

  it('name commands and options that there are', () => {
    for (const [command, lines] of Object.entries(examples)) {
      const { options } = leaves.find(({ path }) => path.join(' ') === command)!;
      for (const line of lines) {
        expect(line).toContain(`assay ${command}`);
        for (const flag of line.match(/--[a-z-]+/g) ?? [])
          expect(
            options.flatMap(({ flags }) => flags),
            line,
          ).toContain(flag);
      }
    }
  });

  it('stand in the help of a command and of its group', async () => {
    const help = (await runAssay(['token', '--help'])).out;
    expect(help).toContain('Examples:\n  assay token create --role viewer --expires 30d\n');
  });
});

describe('completion', () => {
  it('knows commands, options and what these may be, in bash', async () => {
    const { code, out } = await runAssay(['completion', 'bash']);
    expect(code).toBe(0);
    const complete = (...words: string[]) =>
      execFileSync(
        'bash',
        [
          '-c',
          `${out}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _assay; echo "\${COMPREPLY[*]}"`,
          'bash',
          ...words,
        ],
        { encoding: 'utf8' },
      ).trim();
    expect(complete('assay', 'as')).toBe('assess ask');
    expect(complete('assay', 'asse')).toBe('assess');
    expect(complete('assay', 'assess', '--format', 's')).toBe('sarif');
    expect(complete('assay', 'assess', 'data', '--fail')).toBe('--fail-on');
    expect(complete('assay', 'token', 'r')).toBe('revoke');
    expect(complete('assay', 'token', 'create', '--exp')).toBe('--expires');
    expect(complete('assay', 'assess', '--out', '')).toBe('');
    expect(complete('assay', 'completion', 'z')).toBe('zsh');
  });

  it('keeps what descriptions say out of the shell’s hands', async () => {
    const { zshCompletion } = await import('../src/apps/cli/completion.ts');
    const { fishCompletion } = await import('../src/apps/cli/completion.ts');
    const { bashCompletion } = await import('../src/apps/cli/completion.ts');
    const odd = new Command('assay');
    odd.command('odd').description(`it's $(touch /tmp/x) \`id\` \\' a:b`).option('--o <x>', `'; exit 7; '`);
    for (const shell of [bashCompletion, zshCompletion]) {
      const script = shell(commandsOf(odd)).replace('compdef _assay assay', '');
      execFileSync('bash', ['-n'], { input: script });
      expect(execFileSync('bash', ['-c', `${script}\necho whole`], { encoding: 'utf8' })).toBe('whole\n');
    }
    expect(fishCompletion(commandsOf(odd))).toContain(String.raw`-d 'it\'s $(touch /tmp/x) `);
  });

  for (const shell of ['zsh', 'fish'] as const) {
    const reason = hasShell(shell) ? '' : ` (skipped: no ${shell} on this machine)`;
    it.skipIf(reason !== '')(
      `completes in ${shell} itself${reason}`,
      async () => {
        const { out } = await runAssay(['completion', shell]);
        const folder = mkdtempSync(join(tmpdir(), 'assay-completion-'));
        try {
          const script = join(folder, 'script');
          writeFileSync(script, out);
          run(shell, ['-n', script]);
          const complete = (line: string) => completions[shell](script, line);
          expect(complete('assay as')).toBe('assess');
          expect(complete('assay assess --format s')).toBe('sarif');
          expect(complete('assay assess data --fail')).toBe('--fail-on');
          expect(complete('assay token rev')).toBe('revoke');
          expect(complete('assay token create --exp')).toBe('--expires');
          expect(complete('assay completion z')).toBe('zsh');
          expect(complete(`assay assess --out ${folder}/scr`)).toBe(script);
          // `token` is no command there.
          expect(complete('assay verify token rev')).toBe('rev');
        } finally {
          rmSync(folder, { recursive: true });
        }
      },
      120_000,
    );
  }
});

/** Functions by shell that return the shell's own completions of the last word of a line. */
const completions = {
  fish: (script: string, line: string): string => {
    const answer = run('fish', ['-c', 'source $argv[1]; complete -C "$argv[2]"', script, line]);
    return answer.split(/[\t\n]/)[0] || line.split(' ').at(-1)!;
  },
  // Only a line editor at a terminal completes: zsh has a terminal of its own to offer.
  zsh: (script: string, line: string): string => {
    const editor = `zmodload zsh/zpty; zpty z zsh -f -i
zpty -w z "PROMPT= RPROMPT= TERM=dumb; autoload -Uz compinit; compinit -u -D; source $1; show() { print -r -- \\"LINE<\\$BUFFER>\\" }; zle -N show; bindkey '^X' show; print READ''Y"
out=''; while zpty -r z piece; do out+=$piece; [[ $out == *READY* ]] && break; done
zpty -w -n z "$2"$'\\t\\C-x'
out=''; while zpty -r z piece; do out+=$piece; [[ $out == *'LINE<'*'>'* ]] && break; done
[[ $out =~ 'LINE<([^>]*)>' ]] && print -r -- "$match[1]"
zpty -d z`;
    return run('zsh', ['-f', '-c', editor, 'zsh', script, line]).trim().split(' ').at(-1)!;
  },
};

const run = (shell: string, args: readonly string[]): string =>
  execFileSync(shell, args, { encoding: 'utf8', timeout: 60_000 });
