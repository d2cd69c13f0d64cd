import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { stamped, UlogBytes } from '#test/support/ulog-bytes';

interface Topic {
  readonly name: string;
  readonly fields: string;
  readonly floats: number;
  readonly rate_hz: number;
}

/** Topics with the most samples in a PX4 flight log, at the rates of the high-rate profile. */
const topics: readonly Topic[] = [
  {
    name: 'vehicle_angular_velocity',
    fields: 'float[3] xyz;float[3] xyz_derivative;',
    floats: 6,
    rate_hz: 800,
  },
  {
    name: 'sensor_combined',
    fields: 'float[3] gyro_rad;float[3] accelerometer_m_s2;',
    floats: 6,
    rate_hz: 250,
  },
  { name: 'vehicle_attitude', fields: 'float[4] q;float[4] delta_q_reset;', floats: 8, rate_hz: 200 },
  { name: 'actuator_outputs', fields: 'float[16] output;', floats: 16, rate_hz: 200 },
  { name: 'estimator_states', fields: 'float[24] states;float[24] covariances;', floats: 48, rate_hz: 100 },
  {
    name: 'vehicle_local_position',
    fields: 'float x;float y;float z;float vx;float vy;float vz;',
    floats: 6,
    rate_hz: 100,
  },
  {
    name: 'battery_status',
    fields: 'float voltage_v;float current_a;float remaining;',
    floats: 3,
    rate_hz: 5,
  },
];

/** Writes a flight of these many minutes, its messages in the order of their times. */
export async function generateUlog(path: string, minutes: number): Promise<void> {
  const out = createWriteStream(path);
  const head = new UlogBytes(10_000_000n).flags().information('char[3] sys_name', Buffer.from('PX4'));
  for (const { name, fields } of topics) head.format(`${name}:uint64_t timestamp;${fields}`);
  for (const [id, { name }] of topics.entries()) head.subscribe(name, id);
  out.write(head.bytes());
  for (let second = 0; second < minutes * 60; second++) {
    const rows = topics.flatMap(({ rate_hz }, id) =>
      Array.from({ length: rate_hz }, (_, i) => ({
        id,
        time_us: 10_000_000 + second * 1e6 + Math.round((i * 1e6) / rate_hz),
      })),
    );
    rows.sort((a, b) => a.time_us - b.time_us);
    const log = new UlogBytes();
    for (const { id, time_us } of rows) {
      const floats = Array.from({ length: topics[id].floats }, (_, d) => Math.sin(time_us / 1e6 + d));
      log.data(id, stamped(time_us, ...floats));
    }
    if (!out.write(log.bytes().subarray(16))) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}
