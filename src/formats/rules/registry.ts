import { cocoContract } from '../coco/rules.ts';
import { alohaContract } from '../hdf5/rules/aloha/contract.ts';
import { robomimicContract } from '../hdf5/rules/robomimic/contract.ts';
import { kittiContract } from '../kitti/rules.ts';
import { lerobotContract } from '../lerobot/rules/contract.ts';
import { nuScenesContract } from '../nuscenes/rules.ts';
import { tfdsContract } from '../rlds/rules.ts';
import type { DatasetFacts } from '../shared/reader.ts';
import { type Contract, readerFor } from '../shared/rule.ts';
import { yoloContract } from '../yolo/rules.ts';
import { diffusionPolicyContract } from '../zarr/rules.ts';
import { type LoadVerdict, loadVerdict, type SeenBreach } from './loads.ts';

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
