import { cocoContract } from '../coco/rules.ts';
import { alohaContract } from '../hdf5/aloha-rules.ts';
import { robomimicContract } from '../hdf5/robomimic-rules.ts';
import { kittiContract } from '../kitti/rules.ts';
import { lerobotContract } from '../lerobot/rules/contract.ts';
import { nuScenesContract } from '../nuscenes/rules.ts';
import { tfdsContract } from '../rlds/rules.ts';
import type { Contract } from '../shared/rule.ts';
import { yoloContract } from '../yolo/rules.ts';
import { diffusionPolicyContract } from '../zarr/rules.ts';

/** Contracts of all formats whose loaders' rules are known; docs/contracts.md is generated from them. */
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

const fixableRules: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...Map.groupBy(contracts, ({ format }) => format)].map(([format, own]) => {
    const rules = own.flatMap((contract) => contract.rules);
    return [format, new Set(rules.flatMap(({ id, fix }) => (fix === true ? [id] : [])))];
  }),
);
const noRules: ReadonlySet<string> = new Set();

/** Returns the ids of the rules of a format whose violations `assay fix` can correct; empty for other formats. */
export const listFixableRules = (format: string): ReadonlySet<string> => fixableRules.get(format) ?? noRules;
