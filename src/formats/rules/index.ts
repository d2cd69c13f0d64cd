/** A door of its own: what readers of other projects demand is told without opening a recording. */

export type { Contract, ContractRule, ReaderDoes } from '../shared/rule.ts';
export type { LoadVerdict, SeenBreach } from './loads.ts';
export type { PeerRule } from './peers/peer-rule.ts';
export { type Peer, peers } from './peers/peers.ts';
export { contracts, loadsOf } from './registry.ts';
