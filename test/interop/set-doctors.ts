import { askScript } from './python-worker.ts';

/** One line in the report of a tool that checks LeRobot sets. */
export interface DoctorLine {
  readonly severity: string;
  /** With the check that says it. */
  readonly text: string;
}

interface RobovetReport {
  readonly results: readonly { check_id: string; severity: string; summary: string }[];
}

interface DoctorReport {
  readonly checks: readonly { name: string; messages: readonly { severity: string; message: string }[] }[];
}

/** Tools that check LeRobot sets. */
export const setDoctors = ['robovet', 'lerobot-doctor'] as const;
export type SetDoctor = (typeof setDoctors)[number];

/** What a tool reports of LeRobot sets, by folder. */
export async function doctorReports(
  doctor: SetDoctor,
  folders: readonly string[],
): Promise<ReadonlyMap<string, readonly DoctorLine[]>> {
  const said = await askScript('peers', 'doctor_sets.py', doctor, ...folders);
  if (doctor === 'robovet') {
    const reports: Record<string, RobovetReport> = said;
    return new Map(Object.entries(reports).map(([folder, one]) => [folder, robovetLines(one)]));
  }
  const reports: Record<string, DoctorReport> = said;
  return new Map(Object.entries(reports).map(([folder, one]) => [folder, doctorLines(one)]));
}

const robovetLines = ({ results }: RobovetReport): DoctorLine[] =>
  results.map(({ check_id, severity, summary }) => ({ severity, text: `${check_id} ${summary}` }));

const doctorLines = ({ checks }: DoctorReport): DoctorLine[] =>
  checks.flatMap(({ name, messages }) =>
    messages.map(({ severity, message }) => ({ severity, text: `${name}: ${message}` })),
  );

/** Warnings and failures among lines of a report. */
export const complaintsIn = (lines: readonly DoctorLine[]): string[] =>
  lines.flatMap(({ severity, text }) => (/^(WARN|FAIL|ERROR)/i.test(severity) ? [text] : []));

/** Checks of robovet that a LeRobot set fails. */
export async function robovetFailures(folder: string): Promise<string[]> {
  const lines = (await doctorReports('robovet', [folder])).get(folder)!;
  return lines.flatMap(({ severity, text }) => (severity === 'FAIL' ? [text] : []));
}
