import { dirname, join } from 'node:path';

/** Python with all peers but LeRobot, from ASSAY_PEERS_PYTHON; `undefined` where they are not installed. */
export const peersPython = process.env.ASSAY_PEERS_PYTHON;

/** Python with the LeRobot library and readers that need torch, from ASSAY_LEROBOT_PYTHON; `undefined` without it. */
export const lerobotPython = process.env.ASSAY_LEROBOT_PYTHON;

/** A program that came with the peers: `robovet`, `lerobot-doctor`, `schemathesis`. */
export const peerProgram = (name: string): string => join(dirname(peersPython ?? ''), name);

/** The title of tests that need peers, with the reason where they are skipped. */
export const onPeers = (title: string): string => withReason(title, peersPython, 'ASSAY_PEERS_PYTHON');

/** The title of tests that need LeRobot, with the reason where they are skipped. */
export const onLeRobot = (title: string): string => withReason(title, lerobotPython, 'ASSAY_LEROBOT_PYTHON');

const withReason = (title: string, python: string | undefined, variable: string): string =>
  python === undefined ? `${title} (skipped: set ${variable})` : title;
