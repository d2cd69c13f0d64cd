import { cocoContract } from '../coco/rules.ts';
import { alohaContract } from '../hdf5/rules/aloha.ts';
import { robomimicContract } from '../hdf5/rules/robomimic.ts';
import { kittiContract } from '../kitti/rules.ts';
import { lerobotContract } from '../lerobot/rules/contract.ts';
import { nuScenesContract } from '../nuscenes/rules.ts';
import { tfdsContract } from '../rlds/rules.ts';
import type { DatasetFacts } from '../shared/reader.ts';
import { type Contract, type ReaderOutcome, readerFor } from '../shared/rule.ts';
import { yoloContract } from '../yolo/rules.ts';
import { diffusionPolicyContract } from '../zarr/rules.ts';

/** Contracts of all formats with known canonical readers; docs/contracts.md is generated from them. */
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

/** Ids of the rules of a format whose violations `assay fix` can correct. */
export function listFixableRules(format: string): ReadonlySet<string> {
  const rules = contracts.filter((one) => one.format === format).flatMap((one) => one.rules);
  return new Set(rules.flatMap(({ id, fix }) => (fix === true ? [id] : [])));
}

/**
 * Returns whether the format's canonical reader loads a dataset with these findings and flags; `null` if its format has
 * no contract.
 */
export function computeLoadVerdict(
  facts: DatasetFacts,
  violations: readonly RuleViolation[],
): LoadVerdict | null {
  const contract = contracts.find(
    ({ format, versions }) =>
      format === facts.format && (versions === undefined || versions.some((one) => one === facts.version)),
  );
  if (contract === undefined) return null;
  return applyContract(contract, readerFor(contract, facts.version), violations);
}

/** Verdict whether a canonical reader opens a dataset and returns every row correctly. */
export interface LoadVerdict {
  /** Reader id, such as `LeRobot v3.0`. */
  readonly reader: string;
  readonly loads: 'yes' | 'no';
  /** Violated rules that prevent it, worst first; empty if it loads. */
  readonly why: readonly {
    readonly rule: string;
    readonly does: ReaderOutcome;
    readonly episodes: number | null;
    /** True if `assay fix` can correct it. */
    readonly fix: boolean;
  }[];
}

/** A rule violation; `episodes`: number of episodes concerned, `null` if the dataset as a whole is. */
export interface RuleViolation {
  readonly code: string;
  readonly episodes: number | null;
}

const rank: Record<ReaderOutcome, number> = {
  refuses_set: 0,
  refuses_rows: 1,
  serves_wrong_rows: 2,
  loads: 3,
};

/** Applies a contract to the violations of a dataset; codes that are no rules of `reader` are ignored. */
function applyContract(contract: Contract, reader: string, found: readonly RuleViolation[]): LoadVerdict {
  const rules = new Map(contract.rules.map((rule) => [rule.id, rule]));
  const why = found.flatMap(({ code, episodes }) => {
    const rule = rules.get(code);
    const does = rule?.consequences[reader]?.reader;
    if (does === undefined || does === 'loads') return [];
    return [{ rule: code, does, episodes, fix: rule?.fix === true }];
  });
  const worst = why.toSorted((a, b) => rank[a.does] - rank[b.does] || (a.rule < b.rule ? -1 : 1));
  return { reader, loads: worst.length === 0 ? 'yes' : 'no', why: worst };
}
