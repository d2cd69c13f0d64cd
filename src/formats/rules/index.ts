/** Separate public API: rules of the formats' canonical readers, usable without opening a recording. */

export type { Contract, ContractRule, ReaderOutcome } from '../shared/rule.ts';
export type { PeerRule } from './lerobot-doctor.ts';
export {
  applySeverities,
  computeLoadVerdict,
  describeLoaders,
  type LoaderSeverities,
  type LoadVerdict,
  listRefusals,
  listSeverities,
  listUnknownLoaders,
  loaderSeverities,
  loaders,
  type RuleViolation,
} from './loaders.ts';
export { type Peer, peers } from './peers.ts';
export { contracts, listFixableRules } from './registry.ts';
