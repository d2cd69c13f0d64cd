import type { Episode, Finding, GripperConvention, SourceRef, Stream } from '#core/episode';
import { observedRange } from '../shared/observed-range.ts';
import { splitOfShard } from '../shared/split-of.ts';
import {
  cameraStream,
  clockOfSteps,
  clockPart,
  isCamera,
  noUnit,
  numericStream,
  type Steps,
} from './cameras.ts';
import type { Leaf } from './feature-tree.ts';
import type { KnownDataset, KnownGripper } from './known-datasets.ts';
import { invalidFinding, outcomeOf, tasksOf } from './metadata.ts';
import type { FeatureValues } from './records/example.ts';
import { isInstruction } from './roles.ts';
import { tfdsBreach } from './rules.ts';
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

type Example = ReadonlyMap<string, FeatureValues>;

/** Declared features of the whole episode, and flags of the steps, of which a record holds nothing. */
function absentFeatures(leaves: readonly Leaf[], example: Example, flag: RegExp): string[] {
  return leaves
    .filter(({ per_step, id, kind, shape, optional }) => {
      if (per_step) return flag.test(id);
      return kind !== 'other' && optional !== true && !shape.includes(null);
    })
    .filter(({ key }) => !example.has(key))
    .map(({ per_step, id, key }) => (per_step ? id : key));
}

/** An Example has three kinds of lists: TFDS takes integers, floats and bytes from none but their own. */
function typeFindings(leaves: readonly Leaf[], example: Example, path: string): Finding[] {
  const wrong = leaves.filter((leaf) => {
    const values = example.get(leaf.key);
    const wanted = listOf(leaf);
    return values !== undefined && values.count > 0 && wanted !== null && values.kind !== wanted;
  });
  if (wrong.length === 0) return [];
  const names = wrong.slice(0, 8).map(({ key }) => key);
  const said = wrong.slice(0, 3).map((leaf) => `${leaf.key} as ${example.get(leaf.key)!.kind}`);
  const message = `the record holds ${said.join(', ')}${wrong.length > 3 ? ', …' : ''}; features.json declares another type`;
  return [tfdsBreach('feature_type_wrong', path, message, { features: names })];
}

function listOf({ kind, dtype, encoding }: Leaf): FeatureValues['kind'] | null {
  if (kind === 'other') return null;
  if (kind !== 'tensor' || encoding !== 'none') return 'bytes';
  if (dtype === null) return null;
  if (/^(u?int\d+|bool)$/.test(dtype)) return 'int64';
  return /^b?float\d+$/.test(dtype) ? 'float' : null;
}

const gripperName = /gripper|finger|jaw|claw/i;

/**
 * Grippers of an episode: those of a data set whose convention is known, and streams so named. Polarity is said only
 * where the name fixes it or the convention does and the numbers fit it; numbers alone decide nothing.
 */
export function grippersOf(streams: readonly Stream[], known: KnownDataset | null): GripperConvention[] {
  return streams.flatMap((stream) => {
    const { series, role, id } = stream;
    if (series === undefined || series.dims === 0 || (role !== 'state' && role !== 'action')) return [];
    const row = known?.grippers.find((one) => one.stream.test(id) && one.dims === series.dims);
    if (row !== undefined) return [byConvention(stream, row)];
    if (series.dims > 2 || !gripperName.test(id) || /velocity|effort|force/i.test(id)) return [];
    return Array.from({ length: series.dims }, (_, dimension) => byName(stream, dimension));
  });
}

function byConvention(stream: Stream, row: KnownGripper): GripperConvention {
  const base = baseOf(stream, stream.series!.dims - 1);
  const [low, high] = base.range_observed;
  const { unit, open_value, range, reason } = row;
  if (low >= range[0] && high <= range[1])
    return { ...base, unit, open_value, evidence: 'known_format', reason };
  return {
    ...base,
    unit: 'unknown',
    open_value: null,
    evidence: 'unknown',
    reason: `the values ${low} to ${high} leave the range of the data set's known convention (${reason})`,
  };
}

/** `open_gripper` says itself which value opens; nothing else does. */
function byName(stream: Stream, dimension: number): GripperConvention {
  const base = baseOf(stream, dimension);
  const [low, high] = base.range_observed;
  if (/(^|\/)open_gripper$/.test(stream.id) && low >= 0 && high <= 1)
    return {
      ...base,
      unit: '0..1 open',
      open_value: 1,
      evidence: 'declared',
      reason: 'by the name of the feature',
    };
  const reason = 'neither the files nor the name of the data set say which value is open';
  return { ...base, unit: 'unknown', open_value: null, evidence: 'unknown', reason };
}

function baseOf(
  { id, series }: Stream,
  dimension: number,
): Pick<GripperConvention, 'stream' | 'dimension' | 'name' | 'range_observed'> {
  return { stream: id, dimension, name: null, range_observed: observedRange(series!, dimension) };
}

/** What is_first, is_last and is_terminal say of an episode (RLDS: the first two are mandatory). */
interface StepFlags {
  /** The last step is marked is_last, so that its action was never carried out. */
  readonly ends: boolean;
  readonly findings: readonly Finding[];
}

function readStepFlags(example: ReadonlyMap<string, FeatureValues>, steps: number, path: string): StepFlags {
  const findings: Finding[] = [];
  const add = (code: string, severity: Finding['severity'], message: string, advice: string) =>
    findings.push({ code, severity, path, message, advice });
  const rowsOf = (name: string): number[] | null => {
    const values = example.get(`steps/${name}`);
    if (values === undefined || values.kind === 'bytes') return null;
    return [...values.numbers()].flatMap((value, row) => (value === 0 ? [] : [row]));
  };
  const [first, last, terminal] = [rowsOf('is_first'), rowsOf('is_last'), rowsOf('is_terminal')];
  for (const [name, rows] of [
    ['is_first', first],
    ['is_last', last],
  ] as const)
    if (rows === null)
      add(
        'step_flag_missing',
        'warning',
        `the episode has no ${name}, which RLDS demands`,
        'write the flag of every step',
      );
  if (first !== null && (first.length !== 1 || first[0] !== 0))
    add(
      'is_first_wrong',
      'warning',
      `is_first is set in ${rowWords(first)}, not in step 0 alone`,
      'check that the record is one whole episode and not several',
    );
  const ends = last?.length === 1 && last[0] === steps - 1;
  if (last?.length === 0)
    add(
      'is_last_missing',
      'warning',
      `none of the ${steps} steps is marked is_last: the record is only a part of an episode`,
      'find the rest of the episode; whether its last action was carried out is not known either',
    );
  else if (last !== null && !ends)
    add(
      'is_last_wrong',
      'warning',
      `is_last is set in ${rowWords(last)}, not in step ${steps - 1} alone`,
      'check that the record is one whole episode and not several',
    );
  if (ends && terminal !== null && terminal.at(-1) !== steps - 1)
    add(
      'episode_truncated',
      'info',
      'the last step is not terminal: the episode was ended from outside, as by a limit on its time',
      'do not take its end for the end of the task',
    );
  return { ends, findings };
}

/** RLDS leaves the action beside the last observation undefined. It is kept as recorded, and named. */
function lastActionFinding(actions: readonly string[], step: number, path: string): Finding {
  return {
    code: 'last_action_undefined',
    severity: 'info',
    path,
    message: `RLDS leaves the action of the last step undefined: step ${step} of ${actions.join(', ')} is no command`,
    advice: 'leave that step’s action out of training',
    evidence: { streams: actions, step },
  };
}

function rowWords(rows: readonly number[]): string {
  if (rows.length === 0) return 'no step';
  const head = rows.slice(0, 4).join(', ');
  return `step ${head}${rows.length > 4 ? ` and ${rows.length - 4} more` : ''}`;
}
