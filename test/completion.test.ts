import { execFileSync } from 'node:child_process';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandsOf } from '../src/cli/completion/command-tree.ts';
import { examples } from '../src/cli/examples.ts';
import { createWholeProgram } from '../src/cli/program.ts';
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
    expect(complete('assay', 'as')).toBe('assess');
    expect(complete('assay', 'assess', '--format', 's')).toBe('sarif');
    expect(complete('assay', 'assess', 'data', '--fail')).toBe('--fail-on');
    expect(complete('assay', 'token', 'r')).toBe('revoke');
    expect(complete('assay', 'token', 'create', '--exp')).toBe('--expires');
    expect(complete('assay', 'assess', '--out', '')).toBe('');
    expect(complete('assay', 'completion', 'z')).toBe('zsh');
  });

  it('keeps what descriptions say out of the shell’s hands', async () => {
    const { zshCompletion } = await import('../src/cli/completion/zsh.ts');
    const { fishCompletion } = await import('../src/cli/completion/fish.ts');
    const { bashCompletion } = await import('../src/cli/completion/bash.ts');
    const odd = new Command('assay');
    odd.command('odd').description(`it's $(touch /tmp/x) \`id\` \\' a:b`).option('--o <x>', `'; exit 7; '`);
    for (const shell of [bashCompletion, zshCompletion]) {
      const script = shell(commandsOf(odd)).replace('compdef _assay assay', '');
      execFileSync('bash', ['-n'], { input: script });
      expect(execFileSync('bash', ['-c', `${script}\necho whole`], { encoding: 'utf8' })).toBe('whole\n');
    }
    expect(fishCompletion(commandsOf(odd))).toContain(String.raw`-d 'it\'s $(touch /tmp/x) `);
  });

  for (const shell of ['zsh', 'fish']) {
    const reason = hasShell(shell) ? '' : ` (skipped: no ${shell} on this machine)`;
    it.skipIf(reason !== '')(`is a script that ${shell} takes${reason}`, async () => {
      const { out } = await runAssay(['completion', shell]);
      execFileSync(shell, ['-n'], { input: out });
    });
  }
});
