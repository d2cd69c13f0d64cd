import { measureProcess } from './measured-process.ts';

/** A program that prints one line of JSON with the seconds it took. */
export interface TimedProgram {
  readonly command: string;
  readonly args: readonly string[];
}

export interface TimedRead {
  readonly read_s: number;
  readonly peak_rss_mb?: number;
}

/** Each program in fresh processes, turn by turn, so that a machine that is busy for a while slows all; the medians. */
export async function sideBySide(programs: readonly TimedProgram[], rounds: number): Promise<TimedRead[]> {
  const reads: TimedRead[][] = programs.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [i, program] of programs.entries())
      reads[i].push(JSON.parse(await runProgram(program)) as TimedRead);
  return reads.map((own) => own.toSorted((a, b) => a.read_s - b.read_s)[own.length >> 1]);
}

/** Runs a program and returns its standard output. Throws if it fails. */
export async function runProgram({ command, args }: TimedProgram): Promise<string> {
  const { exit_code, stdout } = await measureProcess(command, args);
  if (exit_code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${exit_code}`);
  return stdout;
}
