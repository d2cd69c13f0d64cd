import { spawn } from 'node:child_process';

export interface NpmStarted {
  readonly stdout: string;
  readonly stderr: string;
  /** Seconds until the table was printed, until the link was, and until all is assessed in the service. */
  readonly table_s: number;
  readonly link_s: number;
  readonly service_s: number;
  readonly address: string;
  readonly token_file: string;
  /** Ctrl-C; gives all that was written on standard error when the last process has ended. */
  stop(): Promise<string>;
}

/** Runs `npm start` as a person does, until its service has assessed everything. Throws with its output when it ends before. */
export async function npmStart(
  cwd: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[] = [],
): Promise<NpmStarted> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  const child = spawn('npm', ['start', '--silent', ...(args.length > 0 ? ['--', ...args] : [])], {
    cwd,
    env: { ...env, ASSAY_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that it can be interrupted as a terminal does it.
    detached: true,
  });
  let stdout = '';
  let stderr = '';
  let table_s = Number.NaN;
  let link_s = Number.NaN;
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (Number.isNaN(table_s) && /^Run /m.test(stdout)) table_s = seconds();
  });
  const greeted = new Promise<void>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (Number.isNaN(link_s) && /^Open:.*\n/m.test(stderr)) link_s = seconds();
      if (/^Serving .*\n/m.test(stderr)) resolve();
    });
  });
  const early = ended.then((code) => {
    throw new Error(`npm start ended with ${code}:\n${stdout}\n${stderr}`);
  });
  await Promise.race([greeted, early]);
  early.catch(() => {});
  return {
    stdout,
    stderr,
    table_s,
    link_s,
    service_s: seconds(),
    address: /^Service:\s+(\S+)$/m.exec(stderr)![1],
    token_file: /^Token file:\s+(.+)$/m.exec(stderr)![1],
    stop: async () => {
      process.kill(-child.pid!, 'SIGINT');
      await ended;
      return stderr;
    },
  };
}
