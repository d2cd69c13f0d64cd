import { type Extraction, fitsFloat32, type StructType, type Taps, typeAt } from '@assay/ros-messages';
import { significant } from '#core';
import type { Finding, Stream } from '#core/episode';
import { ClockTrack, type MessageTimes } from '../clocks.ts';
import type { GroupSpec, NumericSpec } from '../topic-mapping.ts';
import { type Column, float32Column, float64Column } from './columns.ts';
import type { FinishOptions, RecordingContext, TopicResult, TopicSink } from './topic-sink.ts';

/** Publishers that share a topic but name different joints get separate tracks, up to this many. */
const maxTracks = 8;
/** Groups whose length varies in a larger share of messages are not a signal. */
const maxRaggedShare = 0.1;

interface GroupColumn {
  readonly values: Column<Float32Array<ArrayBuffer>> | Column;
  dims: number;
  rows: number;
  ragged: number;
  longest: number;
  tooLong: number;
  /** Number of messages with an estimate (whose covariance does not mark it as unknown). */
  estimates: number;
}

interface Track {
  readonly names: readonly string[];
  readonly clocks: ClockTrack;
  readonly groups: readonly GroupColumn[];
}

/** Topics with numbers: one stream per group, and one track for each set of names. */
export class NumericSink implements TopicSink {
  readonly taps: Taps;
  readonly #spec: NumericSpec;
  readonly #narrow: readonly boolean[];
  /** Index of each group's covariance among the extracted numbers; -1 if it has none. */
  readonly #covariances: readonly number[];
  readonly #context: RecordingContext;
  readonly #tracks = new Map<string, Track>();
  #current: Track | null = null;
  #untrackedMessages = 0;

  constructor(spec: NumericSpec, root: StructType, stamp: string | null, context: RecordingContext) {
    this.#spec = spec;
    this.#context = context;
    this.#narrow = spec.groups.map((group) => group.paths.every((path) => isNarrow(root, path)));
    const covariances = spec.groups.flatMap(({ covariance }) => covariance ?? []);
    this.#covariances = spec.groups.map(({ covariance }) =>
      covariance === undefined ? -1 : spec.groups.length + covariances.indexOf(covariance),
    );
    this.taps = {
      stamp,
      numbers: [
        ...spec.groups.map(({ paths, only }) => ({ paths, ...(only === undefined ? {} : { only }) })),
        ...covariances.map((path) => ({ paths: [path] })),
      ],
      texts: [],
      names: spec.names,
      payload: null,
    };
  }

  take(message: Extraction, times: MessageTimes): void {
    if (this.#current === null || message.namesChanged) this.#current = this.#trackOf(message);
    const track = this.#current;
    if (track === null) {
      this.#untrackedMessages++;
      return;
    }
    track.clocks.push(times);
    let bytes = 24;
    for (let g = 0; g < track.groups.length; g++) {
      bytes += appendRow(track.groups[g], message, g);
      const covariance = this.#covariances[g];
      if (covariance < 0 || !isUnestimated(message, covariance)) track.groups[g].estimates++;
    }
    this.#context.heldBytes += bytes;
  }

  finish(finishing: FinishOptions): TopicResult {
    const findings: Finding[] = [];
    const streams: Stream[] = [];
    let number = 0;
    for (const track of this.#tracks.values()) {
      number++;
      streams.push(...this.#streamsOf(track, number, finishing, findings));
    }
    if (this.#untrackedMessages > 0) {
      findings.push({
        code: 'names_vary',
        severity: 'warning',
        path: finishing.context.path,
        message: `${finishing.topic}: more than ${maxTracks} different sets of joint names; skipped messages: ${this.#untrackedMessages}`,
        advice: 'publish each group of joints on a separate topic',
      });
    }
    return { streams, findings };
  }

  #trackOf(message: Extraction): Track | null {
    const names = this.#spec.names === null ? [] : message.names();
    const key = names.join('\0');
    const existing = this.#tracks.get(key);
    if (existing !== undefined) return existing;
    if (this.#tracks.size >= maxTracks) return null;
    const groups = this.#narrow.map((narrow) => ({
      values: narrow ? float32Column() : float64Column(),
      dims: 0,
      rows: 0,
      ragged: 0,
      longest: 0,
      tooLong: 0,
      estimates: 0,
    }));
    const track = { names, clocks: new ClockTrack(), groups };
    this.#tracks.set(key, track);
    return track;
  }

  #streamsOf(track: Track, number: number, finishing: FinishOptions, findings: Finding[]): Stream[] {
    const chosen = track.clocks.finish(streamId(finishing.topic, '', number), finishing);
    const streams: Stream[] = [];
    for (const [g, group] of track.groups.entries()) {
      const spec = this.#spec.groups[g];
      const id =
        spec.id === undefined ? streamId(finishing.topic, spec.suffix, number) : trackId(spec.id, number);
      const problem = lengthFinding(group, id, finishing.context.path);
      if (problem !== null) findings.push(problem);
      const unusable = group.ragged > group.rows * maxRaggedShare || group.tooLong > 0;
      if (group.dims === 0 || group.estimates === 0 || unusable) continue;
      const values = group.values.take();
      if (spec.suffix === 'orientation' && values.every((value) => value === 0)) continue;
      streams.push({
        id,
        role: spec.role,
        modality: 'numeric',
        shape: [group.dims],
        names: dimensionNames(spec, track, group.dims),
        unit: spec.unit,
        declared_rate_hz: null,
        sample_count: group.rows,
        clocks: chosen.clocks,
        clock: chosen.choice,
        series: { values, dims: group.dims },
      });
    }
    return streams;
  }
}

function isNarrow(root: StructType, path: string): boolean {
  let type = typeAt(root, path);
  if (type?.kind === 'array') type = type.of;
  return type?.kind === 'number' && fitsFloat32(type.type);
}

/** Appends one row; a row of another length becomes NaN, so that the loss stays visible. Returns the bytes it takes. */
function appendRow(group: GroupColumn, message: Extraction, g: number): number {
  const count = message.counts[g];
  if (count < 0) group.tooLong++;
  if (group.dims === 0 && count > 0) {
    group.dims = count;
    group.ragged = group.rows;
    group.values.fill(Number.NaN, count * group.rows);
  }
  group.rows++;
  if (group.dims === 0) return 0;
  if (count === group.dims) group.values.append(message.numbers[g], count);
  else {
    group.ragged++;
    group.values.fill(Number.NaN, group.dims);
  }
  if (count > group.longest) group.longest = count;
  return group.dims * 8;
}

/** True if a covariance starts with -1: by the convention of sensor_msgs/Imu, its quantity was not estimated. */
function isUnestimated({ counts, numbers }: Extraction, covariance: number): boolean {
  return counts[covariance] > 0 && numbers[covariance][0] === -1;
}

function lengthFinding(group: GroupColumn, id: string, path: string): Finding | null {
  if (group.tooLong > 0) {
    return {
      code: 'array_too_long',
      severity: 'info',
      path,
      message: `${id} was skipped: its arrays are too long to be a signal`,
      advice: 'nothing to do unless you want to train on these values',
    };
  }
  if (group.ragged === 0 || group.dims === 0) return null;
  const share = significant(group.ragged / group.rows, 3);
  return {
    code: 'array_length_varies',
    severity: 'warning',
    path,
    message: `${id}: ${group.ragged} of ${group.rows} messages do not have ${group.dims} values`,
    advice: 'record the same number of values in every message',
    evidence: { ragged: group.ragged, rows: group.rows, share, dims: group.dims, longest: group.longest },
  };
}

function streamId(topic: string, suffix: string, track: number): string {
  return trackId(`${topic}${suffix === '' ? '' : `.${suffix}`}`, track);
}

const trackId = (id: string, track: number): string => `${id}${track === 1 ? '' : `@${track}`}`;

function dimensionNames(spec: GroupSpec, track: Track, dims: number): readonly string[] | null {
  if (spec.names !== null && spec.names.length === dims) return spec.names;
  return track.names.length === dims ? track.names : null;
}
