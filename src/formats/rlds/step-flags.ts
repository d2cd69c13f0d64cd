import type { Finding } from '#core/episode';
import type { FeatureValues } from './records/example.ts';

/** What is_first, is_last and is_terminal say of an episode (RLDS: the first two are mandatory). */
export interface StepFlags {
  /** The last step is marked is_last, so that its action was never carried out. */
  readonly ends: boolean;
  readonly findings: readonly Finding[];
}

export function readStepFlags(
  example: ReadonlyMap<string, FeatureValues>,
  steps: number,
  path: string,
): StepFlags {
  const findings: Finding[] = [];
  const add = (code: string, severity: Finding['severity'], message: string, advice: string) =>
    findings.push({ code, severity, path, message, advice });
  const rowsOf = (name: string): number[] | null => {
    const values = example.get(`steps/${name}`);
    if (values === undefined || values.kind === 'bytes') return null;
    return [...values.numbers()].flatMap((value, row) => (value === 0 ? [] : [row]));
  };
  const [first, last, terminal] = [rowsOf('is_first'), rowsOf('is_last'), rowsOf('is_terminal')];
  for (const [name, rows] of [
    ['is_first', first],
    ['is_last', last],
  ] as const)
    if (rows === null)
      add(
        'step_flag_missing',
        'warning',
        `the episode has no ${name}, which RLDS demands`,
        'write the flag of every step',
      );
  if (first !== null && (first.length !== 1 || first[0] !== 0))
    add(
      'is_first_wrong',
      'warning',
      `is_first is set in ${rowWords(first)}, not in step 0 alone`,
      'check that the record is one whole episode and not several',
    );
  const ends = last?.length === 1 && last[0] === steps - 1;
  if (last?.length === 0)
    add(
      'is_last_missing',
      'warning',
      `none of the ${steps} steps is marked is_last: the record is only a part of an episode`,
      'find the rest of the episode; whether its last action was carried out is not known either',
    );
  else if (last !== null && !ends)
    add(
      'is_last_wrong',
      'warning',
      `is_last is set in ${rowWords(last)}, not in step ${steps - 1} alone`,
      'check that the record is one whole episode and not several',
    );
  if (ends && terminal !== null && terminal.at(-1) !== steps - 1)
    add(
      'episode_truncated',
      'info',
      'the last step is not terminal: the episode was ended from outside, as by a limit on its time',
      'do not take its end for the end of the task',
    );
  return { ends, findings };
}

/** RLDS leaves the action beside the last observation undefined. It is kept as recorded, and named. */
export function lastActionFinding(actions: readonly string[], step: number, path: string): Finding {
  return {
    code: 'last_action_undefined',
    severity: 'info',
    path,
    message: `RLDS leaves the action of the last step undefined: step ${step} of ${actions.join(', ')} is no command`,
    advice: 'leave that step’s action out of training',
    evidence: { streams: actions, step },
  };
}

function rowWords(rows: readonly number[]): string {
  if (rows.length === 0) return 'no step';
  const head = rows.slice(0, 4).join(', ');
  return `step ${head}${rows.length > 4 ? ` and ${rows.length - 4} more` : ''}`;
}
