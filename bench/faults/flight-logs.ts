import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Random, seededRandom } from '#core';
import { stamped, UlogBytes } from '#test/support/ulog-bytes';

const start_us = 30_000_000;
const attitude_hz = 50;
const slow_hz = 5;

/** Writes clean flights of a minute as PX4 logs them: attitude, rates, battery, a satellite receiver, arming, motors, position. */
export async function writeFlightLogs(folder: string, count: number, seed: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let index = 0; index < count; index++) {
    const name = `flight_${String(index).padStart(2, '0')}.ulg`;
    await writeFile(join(folder, name), flight(seededRandom(seed * 61 + index)));
  }
}

function flight(random: Random): Uint8Array {
  const log = new UlogBytes(BigInt(start_us))
    .flags()
    .format('vehicle_attitude:uint64_t timestamp;float[4] q;')
    .format('vehicle_angular_velocity:uint64_t timestamp;float[3] xyz;')
    .format('battery_status:uint64_t timestamp;float voltage_v;float current_a;')
    .format(
      'vehicle_gps_position:uint64_t timestamp;float eph;float epv;float fix_type;float satellites_used;',
    )
    .format(
      'vehicle_status:uint64_t timestamp;float arming_state;float vehicle_type;float failure_detector_status;',
    )
    .format(
      'vehicle_local_position:uint64_t timestamp;float x;float y;float z;float[2] delta_xy;float xy_reset_counter;',
    )
    .format('actuator_motors:uint64_t timestamp;float[4] control;')
    .information('char[3] sys_name', Buffer.from('PX4'))
    .subscribe('vehicle_attitude', 0)
    .subscribe('vehicle_angular_velocity', 1)
    .subscribe('battery_status', 2)
    .subscribe('vehicle_gps_position', 3)
    .subscribe('vehicle_status', 4)
    .subscribe('vehicle_local_position', 5)
    .subscribe('actuator_motors', 6);
  const [seconds, pace, full_v] = [
    random.integer(50, 70),
    random.between(0.1, 0.4),
    random.between(16.2, 16.8),
  ];
  for (let row = 0; row < seconds * attitude_hz; row++) {
    const time_us = start_us + (row * 1_000_000) / attitude_hz;
    const turn = Math.sin((pace * row) / attitude_hz) + 0.001 * random.normal();
    log.data(0, stamped(time_us, Math.cos(turn / 2), 0, 0, Math.sin(turn / 2)));
    log.data(
      1,
      stamped(
        time_us,
        0.01 * random.normal(),
        0.01 * random.normal(),
        pace * Math.cos((pace * row) / attitude_hz),
      ),
    );
    const armed = row > attitude_hz && row < (seconds - 1) * attitude_hz;
    const motor = () => (armed ? 0.55 + 0.03 * Math.sin(pace * row) + 0.01 * random.normal() : Number.NaN);
    log.data(6, stamped(time_us, motor(), motor(), motor(), motor()));
    if (row % (attitude_hz / slow_hz) !== 0) continue;
    // The estimator settles on its first fix shortly after arming.
    const settled = row > 4 * attitude_hz ? 1 : 0;
    const [north, east] = [8 * Math.sin(turn), 8 * Math.cos(turn)];
    log.data(5, stamped(time_us, north, east, -12, 2 * settled, 0, settled));
    log.data(
      2,
      stamped(time_us, full_v - (0.015 * row) / attitude_hz + 0.02 * random.normal(), armed ? 18 : 1),
    );
    log.data(
      3,
      stamped(time_us, 0.7 + 0.05 * random.next(), 1.1 + 0.05 * random.next(), 3, random.integer(13, 16)),
    );
    log.data(4, stamped(time_us, armed ? 2 : 1, 1, 0));
  }
  return log.bytes();
}
