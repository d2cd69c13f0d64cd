import { askScript } from './python-worker.ts';

/** One line in the report of a tool that checks LeRobot sets. */
export interface ValidatorMessage {
  readonly severity: string;
  /** Id of the check and its message. */
  readonly text: string;
}

interface RobovetReport {
  readonly results: readonly { check_id: string; severity: string; summary: string }[];
}

interface DoctorReport {
  readonly checks: readonly { name: string; messages: readonly { severity: string; message: string }[] }[];
}

/** Tools that check LeRobot sets. */
export const lerobotValidators = ['robovet', 'lerobot-doctor'] as const;
export type SetDoctor = (typeof lerobotValidators)[number];

/** Messages of a validator, by folder of the set. */
export async function validatorReports(
  doctor: SetDoctor,
  folders: readonly string[],
): Promise<ReadonlyMap<string, readonly ValidatorMessage[]>> {
  const said = await askScript('peers', 'doctor_sets.py', doctor, ...folders);
  if (doctor === 'robovet') {
    const reports: Record<string, RobovetReport> = said;
    return new Map(Object.entries(reports).map(([folder, one]) => [folder, robovetLines(one)]));
  }
  const reports: Record<string, DoctorReport> = said;
  return new Map(Object.entries(reports).map(([folder, one]) => [folder, doctorLines(one)]));
}

const robovetLines = ({ results }: RobovetReport): ValidatorMessage[] =>
  results.map(({ check_id, severity, summary }) => ({ severity, text: `${check_id} ${summary}` }));

const doctorLines = ({ checks }: DoctorReport): ValidatorMessage[] =>
  checks.flatMap(({ name, messages }) =>
    messages.map(({ severity, message }) => ({ severity, text: `${name}: ${message}` })),
  );

/** Warnings and failures among lines of a report. */
export const warningsAndFailures = (lines: readonly ValidatorMessage[]): string[] =>
  lines.flatMap(({ severity, text }) => (/^(WARN|FAIL|ERROR)/i.test(severity) ? [text] : []));

/** Checks of robovet that a LeRobot set fails. */
export async function robovetFailures(folder: string): Promise<string[]> {
  const lines = (await validatorReports('robovet', [folder])).get(folder)!;
  return lines.flatMap(({ severity, text }) => (severity === 'FAIL' ? [text] : []));
}
