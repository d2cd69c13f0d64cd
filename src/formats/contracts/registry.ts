import type { DatasetFacts } from '../reader.ts';
import { alohaContract } from './aloha/contract.ts';
import { cocoContract } from './coco/contract.ts';
import { diffusionPolicyContract } from './diffusion-policy/contract.ts';
import { kittiContract } from './kitti/contract.ts';
import { lerobotContract } from './lerobot/contract.ts';
import { type LoadVerdict, loadVerdict, type SeenBreach } from './loads.ts';
import { nuScenesContract } from './nuscenes/contract.ts';
import { robomimicContract } from './robomimic/contract.ts';
import { type Contract, readerFor } from './rule.ts';
import { tfdsContract } from './tfds/contract.ts';
import { yoloContract } from './yolo/contract.ts';

/** Every format whose canonical reader's rules are known here; docs/contracts.md is written from them. */
export const contracts: readonly Contract[] = [
  lerobotContract,
  robomimicContract,
  alohaContract,
  tfdsContract,
  diffusionPolicyContract,
  cocoContract,
  yoloContract,
  kittiContract,
  nuScenesContract,
];

/** Whether the format's own reader opens a dataset with these findings and flags; null where no rules are known. */
export function loadsOf(facts: DatasetFacts, seen: readonly SeenBreach[]): LoadVerdict | null {
  const contract = contracts.find(
    ({ format, versions }) =>
      format === facts.format && (versions === undefined || versions.some((one) => one === facts.version)),
  );
  if (contract === undefined) return null;
  return loadVerdict(contract, readerFor(contract, facts.version), seen);
}
