import { lerobotContract } from '../../lerobot/rules/contract.ts';
import { doctorRules } from './lerobot-doctor.ts';
import type { PeerRule } from './peer-rule.ts';
import { robovetRules } from './robovet.ts';

/** A tool that looks for faults of LeRobot sets as we do. */
export interface Peer {
  readonly tool: string;
  readonly release: string;
  readonly rules: readonly PeerRule[];
}

/** Contract rules that name a rule of a peer as finding the same, then what the row adds. */
function withContract(tool: string, rows: readonly PeerRule[]): PeerRule[] {
  return rows.map((row) => {
    const named = lerobotContract.rules.filter((rule) => rule.peers?.includes(`${tool} ${row.rule}`));
    return { ...row, ours: [...new Set([...named.map(({ id }) => id), ...row.ours])] };
  });
}

/** Every rule of the tools that Assay is compared with, from the source of the release named. */
export const peers: readonly Peer[] = [
  { tool: 'robovet', release: '0.2.2', rules: withContract('robovet', robovetRules) },
  { tool: 'lerobot-doctor', release: '0.2.0', rules: doctorRules },
];
