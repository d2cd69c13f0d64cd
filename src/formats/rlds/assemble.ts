import type { Episode, Finding, SourceRef, Stream } from '#core/episode';
import { splitOfShard } from '../shared/split-of.ts';
import { cameraStream, isCamera } from './cameras.ts';
import { absentFeatures, typeFindings } from './declared.ts';
import type { Leaf } from './feature-tree.ts';
import { grippersOf } from './grippers.ts';
import { clockOfSteps } from './known-clock.ts';
import type { KnownDataset } from './known-datasets.ts';
import { invalidFinding, outcomeOf, tasksOf } from './metadata.ts';
import type { FeatureValues } from './records/example.ts';
import { isInstruction } from './roles.ts';
import { tfdsBreach } from './rules.ts';
import { lastActionFinding, readStepFlags } from './step-flags.ts';
import { clockPart, noUnit, numericStream, type Steps } from './step-streams.ts';
import { leavesOf, stepCount } from './structure.ts';

/** Where a record lies. */
export interface RecordPlace {
  readonly path: string;
  /** In its shard, from 0. */
  readonly record: number;
  readonly id: string;
  readonly index: number;
  readonly sources: readonly SourceRef[];
}

/** What is known of the set beside its records. */
export interface SetFacts {
  /** By features.json; null where there is none, so that each Example speaks for itself. */
  readonly leaves: readonly Leaf[] | null;
  readonly known: KnownDataset | null;
}

const flagName = /^is_(first|last|terminal)$/;

/** Turns one record into an episode. */
export function assemble(
  example: ReadonlyMap<string, FeatureValues>,
  place: RecordPlace,
  { leaves: declared, known }: SetFacts,
): Episode {
  const { path, record, id, index, sources } = place;
  const split = splitOfShard(path);
  const leaves = declared ?? leavesOf(example);
  const count = stepCount(example, leaves);
  const flags = readStepFlags(example, count, path);
  const steps: Steps = {
    example,
    count,
    clock: clockOfSteps(count, known),
    path,
    findings: [...flags.findings, ...(declared === null ? [] : typeFindings(declared, example, path))],
  };
  const streams = streamsOf(
    leaves,
    steps,
    declared === null ? [] : absentFeatures(declared, example, flagName),
  );
  const actions = streams.filter(({ role }) => role === 'action').map((stream) => stream.id);
  if (flags.ends && actions.length > 0) steps.findings.push(lastActionFinding(actions, count - 1, path));
  const invalid = invalidFinding(example, path);
  if (invalid !== null) steps.findings.push(invalid);
  return {
    id,
    index,
    locator: { format: 'rlds', path, span: { unit: 'record', from: record, to: record + 1 } },
    sources,
    start_ns: null,
    duration_s: known?.rate == null ? 0 : count / known.rate.hz,
    streams,
    events: [],
    tasks: tasksOf(leaves, example),
    outcome: outcomeOf(example, known),
    robot: known?.robot ?? null,
    calibrations: [],
    grippers: grippersOf(streams, known),
    labels: null,
    clockless: 'RLDS keeps no times',
    ...(split === null ? {} : { split }),
    findings: steps.findings,
  };
}

function streamsOf(leaves: readonly Leaf[], steps: Steps, absentElse: readonly string[]): Stream[] {
  const streams: Stream[] = [];
  const absent = [...absentElse];
  for (const leaf of leaves) {
    if (!leaf.per_step || flagName.test(leaf.id)) continue;
    if (leaf.kind === 'text' && isInstruction(leaf.id)) continue;
    const stream = streamOf(leaf, steps);
    if (stream !== null) streams.push(stream);
    else if (isExpected(leaf, steps)) absent.push(leaf.id);
  }
  if (absent.length > 0 && steps.count > 0) steps.findings.push(absentFinding(absent, steps.path));
  return streams;
}

/** Empty features hold nothing, and those of several parts have other names in the record. */
function isExpected({ key, shape }: Leaf, { example }: Steps): boolean {
  return !shape.includes(0) && ![...example.keys()].some((name) => name.startsWith(`${key}/`));
}

function absentFinding(absent: readonly string[], path: string): Finding {
  const named = `${absent.slice(0, 8).join(', ')}${absent.length > 8 ? ` and ${absent.length - 8} more` : ''}`;
  const message = `features.json declares ${named}, which the record does not hold`;
  return tfdsBreach('record_feature_missing', path, message, { features: absent.slice(0, 50) });
}

function streamOf(leaf: Leaf, steps: Steps): Stream | null {
  if (isCamera(leaf)) return cameraStream(leaf, steps);
  if (leaf.kind === 'tensor') return numericStream(leaf, steps);
  const values = steps.example.get(leaf.key);
  if (values === undefined) return null;
  const text = leaf.kind === 'text';
  return {
    id: leaf.id,
    role: text ? 'annotation' : 'other',
    modality: text ? 'text' : 'opaque',
    shape: [],
    names: null,
    unit: noUnit,
    declared_rate_hz: null,
    sample_count: values.count,
    ...clockPart(values.count <= steps.count ? steps.clock : null, values.count),
  };
}
