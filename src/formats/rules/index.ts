/** Separate public API: rules of the formats' canonical readers, usable without opening a recording. */

export type { Contract, ContractRule, ReaderOutcome } from '../shared/rule.ts';
export type { PeerRule } from './lerobot-doctor.ts';
export { type Peer, peers } from './peers.ts';
export type { LoadVerdict, RuleViolation } from './registry.ts';
export { computeLoadVerdict, contracts, listFixableRules } from './registry.ts';
