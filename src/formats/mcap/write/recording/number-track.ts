import type { Stream, StreamRole } from '#core/episode';
import { plainKey } from '../../../shared/write/set/plain-key.ts';
import { type SignalSchema, signalSchema } from './schemas.ts';
import type { StreamTimes } from './stream-times.ts';
import type { Track, TrackMessage } from './track.ts';

/** What a topic's name must hold for readers to take it for its role, and what goes before it where it does not. */
const words: Readonly<Partial<Record<StreamRole, readonly [RegExp, string]>>> = {
  action: [/(^|[/_.])(action|actions|command|commands|cmd|setpoint|target|goal|leader)([/_.]|$)/i, 'action'],
  state: [/(^|[/_.])(state|states|joint_states|observation|joint|joints|gripper|qpos)([/_.]|$)/i, 'state'],
  imu: [/(^|[/_.])imu([/_.]|$)/i, 'imu'],
  gnss: [/(^|[/_.])(gps|gnss|fix)([/_.]|$)/i, 'gnss'],
  attitude: [/(^|[/_.])attitude([/_.]|$)/i, 'attitude'],
  odometry: [/(^|[/_.])odom(etry)?([/_.]|$)/i, 'odometry'],
  vehicle: [/(^|[/_.])(can|vehicle|steering|wheel_speed|throttle|brake)([/_.]|$)/i, 'vehicle'],
  effort: [/(^|[/_.])(wrench|effort|torque)([/_.]|$)/i, 'effort'],
  tactile: [/(^|[/_.])(tactile|touch)([/_.]|$)/i, 'tactile'],
  reward: [/(^|[/_.])reward([/_.]|$)/i, 'reward'],
};

/** A stream's topic: its id, with its role before it where that does not tell it. */
export function topicOf({ id, role }: Pick<Stream, 'id' | 'role'>): string {
  const plain = id.replace(/^\/+/, '');
  const word = words[role];
  return word === undefined || word[0].test(`/${plain}`) ? `/${plain}` : `/${word[1]}/${plain}`;
}

/** The messages of a signal: a field a dimension. */
export function numberTrack(stream: Stream, times: StreamTimes): Track {
  const { id, names, series, unit, role } = stream;
  const values = series?.values ?? new Float64Array(0);
  const dims = series?.dims ?? 0;
  const type = values instanceof Float64Array ? 'double' : 'float';
  const schema = signalSchema(plainKey(id), names?.length === dims ? names : null, { dims, type });
  const named = names === null ? {} : { names: JSON.stringify(names) };
  return {
    topic: topicOf(stream),
    schema,
    about: { stream: id, role, unit: unit.unit, ...named },
    messages: samples(stream, schema, times),
  };
}

async function* samples(
  { sample_count, series }: Stream,
  schema: SignalSchema,
  times: StreamTimes,
): AsyncGenerator<TrackMessage> {
  if (series === undefined) return;
  const { values, dims } = series;
  for (let sample = 0; sample < sample_count; sample++) {
    const data = schema.encode(times.taken_ns(sample), values.subarray(sample * dims, (sample + 1) * dims));
    yield { log_ns: times.logged_ns(sample), sent_ns: times.sent_ns(sample), data };
  }
}
