import type { Receipt } from '../src/core/api/index.ts';
import type { CameraEvidence, Episode, Stream, StreamRole, Thumbnail } from '../src/core/episode/index.ts';
import { canonicalJson, type Random, seededRandom, sha256, significant } from '../src/core/index.ts';
import { checkTitles } from '../src/core/titles/index.ts';
import type { CheckDescription } from '../src/quality/report/index.ts';

/** Made-up episodes with receipts that fit them, seeded, for looking at and testing the report alone. */
export interface ReportFixture {
  readonly episode: Episode;
  readonly cameras: ReadonlyMap<string, CameraEvidence>;
  readonly receipt: Receipt;
}

export interface FixtureOptions {
  readonly seed?: number;
  readonly rows?: number;
  readonly dims?: number;
  readonly thumbnails?: readonly Uint8Array[];
  readonly text?: string;
}

/** Descriptions of checks as the report takes them, so that its tests do not depend on the wording of the real ones. */
export const fixtureChecks: readonly CheckDescription[] = Object.entries(checkTitles).map(([id, title]) => ({
  id: id as CheckDescription['id'],
  title,
  needs: 'streams with a clock',
  formula: { combine: 'least of', aspects: [{ what: 'aspects', score: 'theirs' }] },
  threshold: { value: 0.7, source: 'made up' },
  weight: 1,
  flags: [],
}));

const joints = ['shoulder_pan', 'shoulder_lift', 'elbow_flex', 'wrist_flex', 'wrist_roll', 'gripper'];
const faults = [null, null, null, null, 'spike', 'gap', 'frozen', 'dark', 'nan', 'swap'] as const;
type Fault = (typeof faults)[number];
type Flag = Receipt['flags'][number];

export function fixtureEpisode(index: number, options: FixtureOptions = {}): ReportFixture {
  const random = seededRandom((options.seed ?? 7) * 100_003 + index);
  const fault = random.pick(faults);
  const rows = options.rows ?? 240 + random.integer(0, 160);
  const time = stamps(rows, fault, random);
  const duration_s = significant(Math.max(...time) + 1 / 30);
  const at = 0.2 + 0.6 * random.next();
  const dims = options.dims ?? 6;
  const state = motion(rows, dims, random, fault, at);
  const action = lead(state, dims);
  const streams = [
    numeric('observation.state', 'state', state, dims, time),
    numeric('action', 'action', action, dims, time),
  ];
  const cameras = new Map<string, CameraEvidence>();
  if (options.thumbnails !== undefined) {
    streams.push(camera('observation.images.front', rows, time));
    cameras.set('observation.images.front', evidence(options.thumbnails, time, fault, at, random));
  }
  const text = options.text ?? '';
  const episode: Episode = {
    id: `episode_${String(index).padStart(6, '0')}${text}`,
    index,
    locator: {
      format: 'lerobot-v3.0',
      path: `data/chunk-000/file-${String(index >> 7).padStart(3, '0')}.parquet`,
      span: { unit: 'row', from: index * 300, to: index * 300 + rows },
    },
    sources: [
      {
        path: 'data/chunk-000/file-000.parquet',
        bytes: 1_234_567,
        sha256: sha256(`file${index >> 7}`),
        role: 'data',
      },
    ],
    start_ns: null,
    duration_s,
    streams,
    events: [],
    tasks: [
      {
        text:
          random.pick([
            'Pick up the cube and place it in the bin',
            'Open the drawer',
            'Fold the towel',
            'Stack the blocks',
          ]) + text,
        source: 'meta/tasks.parquet',
      },
    ],
    outcome: { value: 'unknown', evidence: 'unknown', reason: 'the recording has no outcome label' },
    robot: 'so101_follower',
    calibrations: [],
    grippers: [],
    labels: null,
    findings: [],
  };
  return { episode, cameras, receipt: receiptOf(episode, fault, at * duration_s, random, text) };
}

function stamps(rows: number, fault: Fault, random: Random): Float64Array {
  const time = new Float64Array(rows);
  let now = 0;
  for (let i = 0; i < rows; i++) {
    time[i] = now;
    now += 1 / 30 + 0.0015 * random.normal() + (fault === 'gap' && i === rows >> 1 ? 0.8 : 0);
  }
  if (fault === 'swap') [time[rows >> 1], time[(rows >> 1) + 1]] = [time[(rows >> 1) + 1], time[rows >> 1]];
  return time;
}

function motion(rows: number, dims: number, random: Random, fault: Fault, at: number): Float32Array {
  const values = new Float32Array(rows * dims);
  const where = Math.floor(at * rows);
  for (let d = 0; d < dims; d++) {
    const [a, b, c] = [random.between(20, 60), random.between(1, 3), random.between(0, 6)];
    for (let i = 0; i < rows; i++) {
      const phase = i / rows;
      values[i * dims + d] =
        d === dims - 1 ? gripper(phase) : a * Math.sin(b * Math.PI * phase + c) + 0.1 * random.normal();
    }
  }
  for (let i = where; fault === 'frozen' && i < Math.min(rows, where + 60); i++)
    values.copyWithin(i * dims, where * dims, (where + 1) * dims);
  if (fault === 'spike') values[where * dims + 2] += 140;
  if (fault === 'nan') values[where * dims + 1] = Number.NaN;
  return values;
}

function gripper(phase: number): number {
  const closing = 1 / (1 + Math.exp(-60 * (phase - 0.35)));
  const opening = 1 / (1 + Math.exp(-60 * (phase - 0.8)));
  return 95 - 80 * (closing - opening);
}

function lead(state: Float32Array, dims: number): Float32Array {
  const action = state.slice();
  const ahead = 3 * dims;
  action.copyWithin(0, ahead);
  return action;
}

function numeric(
  id: string,
  role: StreamRole,
  values: Float32Array,
  dims: number,
  time: Float64Array,
): Stream {
  return {
    id,
    role,
    modality: 'numeric',
    shape: [dims],
    names: Array.from({ length: dims }, (_, d) => `${joints[d] ?? `joint_${d}`}.pos`),
    unit: { unit: 'deg', evidence: 'measured', reason: 'range of the joints' },
    declared_rate_hz: 30,
    sample_count: time.length,
    clocks: [{ name: 'timestamp', provenance: 'log', time_s: time }],
    clock: { index: 0, reason: 'the only clock' },
    series: { values, dims },
  };
}

function camera(id: string, rows: number, time: Float64Array): Stream {
  return {
    id,
    role: 'camera',
    modality: 'video',
    shape: [480, 640, 3],
    names: null,
    unit: { unit: 'luma', evidence: 'known_format', reason: 'video' },
    declared_rate_hz: 30,
    sample_count: rows,
    clocks: [{ name: 'timestamp', provenance: 'log', time_s: time }],
    clock: { index: 0, reason: 'the only clock' },
    frames: {
      locator: {
        type: 'video',
        path: 'videos/front/file-000.mp4',
        from_s: 0,
        to_s: null,
        expected_frames: rows,
      },
      declared_size_px: [640, 480],
      declared_codec: 'av1',
    },
  };
}

function evidence(
  pictures: readonly Uint8Array[],
  time: Float64Array,
  fault: Fault,
  at: number,
  random: Random,
): CameraEvidence {
  const count = 24;
  const duration = time[time.length - 1];
  const time_s = Float64Array.from({ length: count }, (_, i) => (i / (count - 1)) * duration);
  const dark = (t: number) => fault === 'dark' && t > at * duration && t < at * duration + 1.6;
  const thumbnails: Thumbnail[] = [0.02, 0.25, 0.5, 0.75, 0.98].map((share) => ({
    time_s: share * duration,
    width_px: 160,
    height_px: 120,
    jpeg: pictures[Math.floor(share * (pictures.length - 1))],
    why: 'overview',
  }));
  if (fault === 'dark')
    thumbnails.push({
      time_s: at * duration + 0.5,
      width_px: 160,
      height_px: 120,
      jpeg: pictures[pictures.length - 1],
      why: 'dark',
    });
  const zeros = new Float32Array(count);
  return {
    decodable: 'yes',
    reason: null,
    container: {
      codec: 'av1',
      width_px: 640,
      height_px: 480,
      pixel_format: 'yuv420p',
      frame_count: time.length,
      declared_frame_count: time.length,
      rate_hz: 30,
      first_pts_s: 0,
      last_pts_s: duration,
      pts_jitter_ratio: 0,
      rotation_deg: 0,
      complete: true,
    },
    sampled: {
      index: Int32Array.from({ length: count }, (_, i) => i * 10),
      time_s,
      luma_mean: Float32Array.from(time_s, (t) => (dark(t) ? 16.4 : 118 + 6 * random.normal())),
      luma_std: zeros,
      dark_ratio: zeros,
      bright_ratio: zeros,
      sharpness: Float32Array.from(time_s, (t) => (dark(t) ? 0.2 : 300 + 20 * random.normal())),
      difference: Float32Array.from(time_s, (t) => (dark(t) ? 0.1 : 4 + random.normal())),
      motion: Float32Array.from(time_s, () => 20),
      hash_high: new Uint32Array(count),
      hash_low: new Uint32Array(count),
      grid: new Uint8Array(64 * count),
    },
    repeats: {
      pairs_compared: time.length - 1,
      pairs_equal: 0,
      runs: [],
      places: [],
      place_count: 0,
      method: 'every_frame',
      in_motion: null,
    },
    thumbnails,
    coded: null,
  };
}

const planted: Record<
  NonNullable<Fault>,
  {
    check: string;
    code: string;
    stream: string;
    dimension?: number;
    length_s: number;
    severity: 'blocking' | 'warning';
    message: string;
  }
> = {
  spike: {
    check: 'kinematic_sanity',
    code: 'position_jump',
    stream: 'observation.state',
    dimension: 2,
    length_s: 0.034,
    severity: 'warning',
    message: 'elbow_flex.pos jumps by 140 within one sample (0.033 s), 61 times its usual step',
  },
  gap: {
    check: 'timeline_integrity',
    code: 'timeline_gap',
    stream: 'observation.state',
    length_s: 0.83,
    severity: 'warning',
    message: 'samples are missing for 0.83 s (25 expected at 30 Hz)',
  },
  frozen: {
    check: 'kinematic_sanity',
    code: 'state_frozen',
    stream: 'observation.state',
    length_s: 2,
    severity: 'blocking',
    message: 'all 6 dimensions of observation.state hold exactly one value for 2.0 s while the action moves',
  },
  dark: {
    check: 'image_integrity',
    code: 'camera_black',
    stream: 'observation.images.front',
    length_s: 1.6,
    severity: 'blocking',
    message: 'observation.images.front is black for 1.6 s (mean luma 16.4)',
  },
  nan: {
    check: 'kinematic_sanity',
    code: 'not_a_number',
    stream: 'observation.state',
    dimension: 1,
    length_s: 0.001,
    severity: 'blocking',
    message: 'one value of shoulder_lift.pos is NaN',
  },
  swap: {
    check: 'timeline_integrity',
    code: 'time_reversed',
    stream: 'observation.state',
    length_s: 0.07,
    severity: 'blocking',
    message: 'time runs backwards once: two stamps are swapped',
  },
};

function receiptOf(episode: Episode, fault: Fault, at_s: number, random: Random, text: string): Receipt {
  const plan = fault === null ? null : planted[fault];
  const low =
    plan === null
      ? 1
      : significant(plan.severity === 'blocking' ? 0.05 + 0.2 * random.next() : 0.3 + 0.3 * random.next());
  const flags: Flag[] = [];
  if (plan !== null) {
    const from = plan.code.startsWith('time')
      ? episode.duration_s / 2 - (plan.code === 'timeline_gap' ? 0.4 : 0)
      : at_s;
    flags.push({
      code: plan.code,
      check: plan.check,
      severity: plan.severity,
      score: low,
      threshold: 0.7,
      observed: 4.2,
      message: plan.message + text,
      advice: `Look at the marked place; leave the episode out or record it again.${text}`,
      marks: [
        {
          stream: plan.stream,
          from_s: significant(from),
          to_s: significant(from + plan.length_s),
          ...(plan.dimension === undefined ? {} : { dimension: plan.dimension }),
        },
      ],
    });
  }
  const components: Receipt['checks'] = fixtureChecks.map((check): Receipt['checks'][number] => {
    if (check.id === 'annotation_coverage')
      return {
        id: check.id,
        status: 'inapplicable',
        threshold: 0.7,
        weight: 1,
        reason: 'nothing was annotated',
      };
    if (check.id === 'signal_sync' && episode.streams.length < 3)
      return {
        id: check.id,
        status: 'not_assessable',
        threshold: 0.7,
        weight: 1,
        reason: 'one clock for every stream',
      };
    const score = check.id === plan?.check ? low : significant(1 - 0.18 * random.next() ** 2);
    return {
      id: check.id,
      status: 'scored',
      score,
      threshold: 0.7,
      weight: 1,
      inputs: {
        worst: significant(random.next()),
        samples: episode.streams[0].sample_count,
        by_stream: { 'observation.state': 0.01 },
      },
    };
  });
  return seal(episode, components, flags);
}

function seal(episode: Episode, components: Receipt['checks'], flags: Flag[]): Receipt {
  const scored = components.filter((component) => component.status === 'scored');
  const score = significant(
    scored.reduce((sum, component) => sum + component.score, 0) / Math.max(1, scored.length),
  );
  const blocked = flags.some((flag) => flag.severity === 'blocking');
  const decision = blocked ? 'reject' : flags.length > 0 ? 'review' : 'accept';
  const body: Omit<Receipt, 'content_hash'> = {
    schema: 'assay/receipt/v1',
    engine: { name: 'assay', version: '0.1.0' },
    canonicalisation: 'RFC8785',
    episode: {
      id: episode.id,
      index: episode.index,
      locator: {
        format: episode.locator.format,
        path: episode.locator.path,
        ...(episode.locator.span === undefined ? {} : { span: episode.locator.span }),
      },
      start_ns: null,
      duration_s: episode.duration_s,
      robot: episode.robot,
      tasks: episode.tasks?.map((task) => task.text) ?? null,
      outcome: episode.outcome,
    },
    kind: { kind: 'teleop', evidence: ['camera observation.images.front with action'] },
    sources: [...episode.sources],
    streams: episode.streams.map((stream) => ({
      id: stream.id,
      role: stream.role,
      modality: stream.modality,
      shape: [...stream.shape],
      unit: stream.unit,
      sample_count: stream.sample_count,
      declared_rate_hz: 30,
      measured_rate_hz: 30.01,
      clock: { name: 'timestamp', provenance: 'log', reason: 'the only clock', others: [] },
    })),
    grippers: [
      {
        stream: 'observation.state',
        dimension: 5,
        name: 'gripper.pos',
        unit: 'unknown',
        range_observed: [15, 95],
        open_value: 95,
        evidence: 'measured',
        reason: 'rests at 95 at both ends',
      },
    ],
    checks: components,
    flags,
    findings: [],
    score,
    graded_fraction: significant(scored.length / Math.max(1, components.length)),
    decision,
    decision_reason: blocked
      ? `rejected by ${flags[0].code}`
      : decision === 'review'
        ? `${flags[0].code} wants a look`
        : 'score at least 0.80 and no blocking flag',
    settings_hash: sha256('default'),
    limits: [
      'Pixels were looked at in 24 of the frames.',
      'No outcome label was found, so success was not judged.',
    ],
  };
  return { ...body, content_hash: sha256(canonicalJson(body)) };
}
