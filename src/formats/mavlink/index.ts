import type { FormatReader } from '../shared/reader.ts';

export const mavlinkReader: FormatReader = {
  id: 'mavlink',
  title: 'MAVLink telemetry log',
  about:
    'Telemetry logs of ground stations such as QGroundControl, Mission Planner and MAVProxy (.tlog): MAVLink 1 and 2 frames, each with the time of its arrival. Each file is one episode. Attitude, position, IMU, satellite receivers, sticks, outputs, targets, battery and estimator state become streams with the units of the MAVLink definitions; messages of other kinds are counted and named by id. Streams of further vehicles and components are named by system and component id. Arming, modes, status texts, commands and changed parameters become events. Times are those of the autopilot (time_boot_ms, time_usec), shifted to the arrival times, where a message has one and it rises; else the arrival times, in UTC by the clock of the ground station. Checksums are verified, and corrupt bytes between records are skipped.',
  scope: 'files',
  recognise: async (tree, misnamed) => (await import('./recognise.ts')).recogniseMavlink(tree, misnamed),
  matchesHead: async (head) => (await import('./recognise.ts')).startsAsMavlink(head),
  divide: async (recognition) => (await import('./recognise.ts')).divideMavlink(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openMavlink(tree, recognition),
};
