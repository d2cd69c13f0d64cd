import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { peersPython } from '../support/peers.ts';

export const peerNames = ['robovet', 'lerobot-doctor'] as const;
export type PeerName = (typeof peerNames)[number];

interface RobovetReport {
  readonly results: readonly { check_id: string; severity: string; summary: string }[];
}

interface DoctorReport {
  readonly checks: readonly { name: string; messages: readonly { severity: string; message: string }[] }[];
}

/** Warnings and failures in a report of robovet. */
const robovetComplaints = ({ results }: RobovetReport): string[] =>
  results.flatMap(({ check_id, severity, summary }) =>
    severity === 'WARN' || severity === 'FAIL' ? [`${check_id} ${summary}`] : [],
  );

/** Messages in a report of lerobot-doctor that are not a pass. */
const doctorComplaints = ({ checks }: DoctorReport): string[] =>
  checks.flatMap(({ name, messages }) =>
    messages.flatMap(({ severity, message }) => (severity === 'PASS' ? [] : [`${name}: ${message}`])),
  );

/** What a peer complains of in LeRobot sets, by folder. One process for all: its start costs more than a small set. */
export async function peerComplaints(
  peer: PeerName,
  folders: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const script = join(import.meta.dirname, 'doctor_sets.py');
  const { stdout } = await promisify(execFile)(peersPython ?? '', [script, peer, ...folders], {
    maxBuffer: 1 << 28,
  });
  if (peer === 'robovet') {
    const reports: Record<string, RobovetReport> = JSON.parse(stdout);
    return new Map(Object.entries(reports).map(([folder, one]) => [folder, robovetComplaints(one)]));
  }
  const reports: Record<string, DoctorReport> = JSON.parse(stdout);
  return new Map(Object.entries(reports).map(([folder, one]) => [folder, doctorComplaints(one)]));
}
