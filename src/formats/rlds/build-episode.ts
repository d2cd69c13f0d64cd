import type { Episode, Finding, GripperConvention, SourceRef, Stream } from '#core/episode';
import { observedRange } from '../shared/grippers.ts';
import { splitFromShardName } from '../shared/splits.ts';
import type { FeatureValues } from './example.ts';
import { countSteps, inferLeaves, isInstruction, type Leaf } from './features.ts';
import type { KnownDataset, KnownGripper } from './known-datasets.ts';
import { invalidFinding, readOutcome, readTaskTexts } from './metadata.ts';
import { tfdsViolation } from './rules.ts';
import {
  cameraStream,
  clockOfSteps,
  clockPart,
  isCamera,
  noUnit,
  numericStream,
  type Steps,
} from './streams.ts';

/** Location of a record and the identity of its episode. */
export interface RecordContext {
  readonly path: string;
  /** Index of the record in its shard, from 0. */
  readonly record: number;
  readonly id: string;
  readonly index: number;
  readonly sources: readonly SourceRef[];
}

/** Facts about the dataset that apply to all records. */
export interface SetFacts {
  /** Features by features.json; `null` if it is absent, so that they are inferred from each Example. */
  readonly leaves: readonly Leaf[] | null;
  readonly known: KnownDataset | null;
}

const flagName = /^is_(first|last|terminal)$/;

/**
 * Builds an episode from one record; without a known rate its streams have no clock, and deviations from features.json
 * become findings.
 */
export function buildEpisode(
  example: ReadonlyMap<string, FeatureValues>,
  context: RecordContext,
  { leaves: declared, known }: SetFacts,
): Episode {
  const { path, record, id, index, sources } = context;
  const split = splitFromShardName(path);
  const leaves = declared ?? inferLeaves(example);
  const count = countSteps(example, leaves);
  const flags = readStepFlags(example, count, path);
  const steps: Steps = {
    example,
    count,
    clock: clockOfSteps(count, known),
    path,
    findings: [...flags.findings, ...(declared === null ? [] : typeFindings(declared, example, path))],
  };
  const streams = buildStreams(
    leaves,
    steps,
    declared === null ? [] : findMissingFeatures(declared, example, flagName),
  );
  const actions = streams.filter(({ role }) => role === 'action').map((stream) => stream.id);
  if (flags.is_complete && actions.length > 0)
    steps.findings.push(lastActionFinding(actions, count - 1, path));
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
    tasks: readTaskTexts(leaves, example),
    outcome: readOutcome(example, known),
    robot: known?.robot ?? null,
    calibrations: [],
    grippers: gripperConventions(streams, known),
    labels: null,
    clockless: 'RLDS stores no timestamps',
    ...(split === null ? {} : { split }),
    findings: steps.findings,
  };
}

function buildStreams(leaves: readonly Leaf[], steps: Steps, missingElsewhere: readonly string[]): Stream[] {
  const streams: Stream[] = [];
  const missing = [...missingElsewhere];
  for (const leaf of leaves) {
    if (!leaf.per_step || flagName.test(leaf.id)) continue;
    if (leaf.kind === 'text' && isInstruction(leaf.id)) continue;
    const stream = buildStream(leaf, steps);
    if (stream !== null) streams.push(stream);
    else if (isExpected(leaf, steps)) missing.push(leaf.id);
  }
  if (missing.length > 0 && steps.count > 0) steps.findings.push(missingFinding(missing, steps.path));
  return streams;
}

/**
 * Returns true if the record should hold the feature: empty ones are not stored, and ragged ones are stored under
 * several other names.
 */
function isExpected({ key, shape }: Leaf, { example }: Steps): boolean {
  return !shape.includes(0) && ![...example.keys()].some((name) => name.startsWith(`${key}/`));
}

function missingFinding(missing: readonly string[], path: string): Finding {
  const named = `${missing.slice(0, 8).join(', ')}${missing.length > 8 ? ` and ${missing.length - 8} more` : ''}`;
  const message = `features.json declares ${named}, which the record does not have`;
  return tfdsViolation('record_feature_missing', path, message, { features: missing.slice(0, 50) });
}

function buildStream(leaf: Leaf, steps: Steps): Stream | null {
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

type Example = ReadonlyMap<string, FeatureValues>;

/** Returns declared features of the episode and step flags that the record lacks. */
function findMissingFeatures(leaves: readonly Leaf[], example: Example, flag: RegExp): string[] {
  return leaves
    .filter(({ per_step, id, kind, shape, optional }) => {
      if (per_step) return flag.test(id);
      return kind !== 'other' && optional !== true && !shape.includes(null);
    })
    .filter(({ key }) => !example.has(key))
    .map(({ per_step, id, key }) => (per_step ? id : key));
}

/** Reports features stored in another kind of list than TFDS reads them from: int64, float or bytes. */
function typeFindings(leaves: readonly Leaf[], example: Example, path: string): Finding[] {
  const wrong = leaves.filter((leaf) => {
    const values = example.get(leaf.key);
    const expected = expectedList(leaf);
    return values !== undefined && values.count > 0 && expected !== null && values.kind !== expected;
  });
  if (wrong.length === 0) return [];
  const names = wrong.slice(0, 8).map(({ key }) => key);
  const listed = wrong.slice(0, 3).map((leaf) => `${leaf.key} as ${example.get(leaf.key)!.kind}`);
  const message = `the record stores ${listed.join(', ')}${wrong.length > 3 ? ', …' : ''}; features.json declares a different type`;
  return [tfdsViolation('feature_type_wrong', path, message, { features: names })];
}

function expectedList({ kind, dtype, encoding }: Leaf): FeatureValues['kind'] | null {
  if (kind === 'other') return null;
  if (kind !== 'tensor' || encoding !== 'none') return 'bytes';
  if (dtype === null) return null;
  if (/^(u?int\d+|bool)$/.test(dtype)) return 'int64';
  return /^b?float\d+$/.test(dtype) ? 'float' : null;
}

const gripperName = /gripper|finger|jaw|claw/i;

/**
 * Returns the gripper conventions: by the known dataset's convention if the values fit its range, else unknown for
 * streams with a gripper's name. Values alone never decide the polarity.
 */
export function gripperConventions(
  streams: readonly Stream[],
  known: KnownDataset | null,
): GripperConvention[] {
  return streams.flatMap((stream) => {
    const { series, role, id } = stream;
    if (series === undefined || series.dims === 0 || (role !== 'state' && role !== 'action')) return [];
    const row = known?.grippers.find(
      (candidate) => candidate.stream.test(id) && candidate.dims === series.dims,
    );
    if (row !== undefined) return [knownConvention(stream, row)];
    if (series.dims > 2 || !gripperName.test(id) || /velocity|effort|force/i.test(id)) return [];
    return Array.from({ length: series.dims }, (_, dimension) => conventionByName(stream, dimension));
  });
}

function knownConvention(stream: Stream, row: KnownGripper): GripperConvention {
  const base = gripperBase(stream, stream.series!.dims - 1);
  const [low, high] = base.range_observed;
  const { unit, open_value, range, reason } = row;
  if (low >= range[0] && high <= range[1])
    return { ...base, unit, open_value, evidence: 'known_format', reason };
  return {
    ...base,
    unit: 'unknown',
    open_value: null,
    evidence: 'unknown',
    reason: `values from ${low} to ${high} are outside the known convention of the dataset (${reason})`,
  };
}

/** Only the name `open_gripper` defines which value is open. */
function conventionByName(stream: Stream, dimension: number): GripperConvention {
  const base = gripperBase(stream, dimension);
  const [low, high] = base.range_observed;
  if (/(^|\/)open_gripper$/.test(stream.id) && low >= 0 && high <= 1)
    return {
      ...base,
      unit: '0..1 open',
      open_value: 1,
      evidence: 'declared',
      reason: 'from the name of the feature',
    };
  const reason = 'neither the files nor the dataset name says which gripper value means open';
  return { ...base, unit: 'unknown', open_value: null, evidence: 'unknown', reason };
}

function gripperBase(
  { id, series }: Stream,
  dimension: number,
): Pick<GripperConvention, 'stream' | 'dimension' | 'name' | 'range_observed'> {
  return { stream: id, dimension, name: null, range_observed: observedRange(series!, dimension) };
}

/** Result of checking is_first, is_last and is_terminal (RLDS requires the first two). */
interface StepFlags {
  /** True if exactly the last step is marked is_last, so its action was not executed. */
  readonly is_complete: boolean;
  readonly findings: readonly Finding[];
}

function readStepFlags(example: ReadonlyMap<string, FeatureValues>, steps: number, path: string): StepFlags {
  const findings: Finding[] = [];
  const add = (code: string, severity: Finding['severity'], message: string, advice: string) =>
    findings.push({ code, severity, path, message, advice });
  const flaggedSteps = (name: string): number[] | null => {
    const values = example.get(`steps/${name}`);
    if (values === undefined || values.kind === 'bytes') return null;
    return [...values.numbers()].flatMap((value, row) => (value === 0 ? [] : [row]));
  };
  const [first, last, terminal] = [
    flaggedSteps('is_first'),
    flaggedSteps('is_last'),
    flaggedSteps('is_terminal'),
  ];
  for (const [name, rows] of [
    ['is_first', first],
    ['is_last', last],
  ] as const)
    if (rows === null)
      add(
        'step_flag_missing',
        'warning',
        `the episode has no ${name}, which RLDS requires`,
        'write this flag for every step',
      );
  if (first !== null && (first.length !== 1 || first[0] !== 0))
    add(
      'is_first_wrong',
      'warning',
      `is_first is set in ${describeRows(first)} instead of only in step 0`,
      'check that the record is one complete episode, not several',
    );
  const ends = last?.length === 1 && last[0] === steps - 1;
  if (last?.length === 0)
    add(
      'is_last_missing',
      'warning',
      `none of the ${steps} steps is marked is_last, so the record is only part of an episode`,
      'find the rest of the episode; it is also unknown whether the last action was executed',
    );
  else if (last !== null && !ends)
    add(
      'is_last_wrong',
      'warning',
      `is_last is set in ${describeRows(last)} instead of only in step ${steps - 1}`,
      'check that the record is one complete episode, not several',
    );
  if (ends && terminal !== null && terminal.at(-1) !== steps - 1)
    add(
      'episode_truncated',
      'info',
      'the last step is not terminal: the episode was ended from outside, for example by a time limit',
      'do not treat the last step as the end of the task',
    );
  return { is_complete: ends, findings };
}

/** Reports the action of the last step, which RLDS leaves undefined. It is kept as recorded. */
function lastActionFinding(actions: readonly string[], step: number, path: string): Finding {
  return {
    code: 'last_action_undefined',
    severity: 'info',
    path,
    message: `RLDS leaves the action of the last step undefined: step ${step} of ${actions.join(', ')} is not a real command`,
    advice: 'exclude the action of that step from training',
    evidence: { streams: actions, step },
  };
}

function describeRows(rows: readonly number[]): string {
  if (rows.length === 0) return 'no step';
  const head = rows.slice(0, 4).join(', ');
  return `step ${head}${rows.length > 4 ? ` and ${rows.length - 4} more` : ''}`;
}
