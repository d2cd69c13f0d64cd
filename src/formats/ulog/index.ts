import type { FormatReader } from '../shared/reader.ts';

export const ulogReader: FormatReader = {
  id: 'ulog',
  title: 'PX4 ULog',
  about:
    'PX4 flight logs, alone or in folders. Each file is one episode. Every topic becomes streams with all numbers of its messages: attitude, rates, position, setpoints, actuators, sensors and battery by PX4’s own definitions, and all others too. Logged texts, arming, modes, failsafe and changed parameters become events; dropouts reported by the logger are recorded. Time is the autopilot’s time since boot, converted to UTC if a GNSS receiver was logged. Corrupt bytes are skipped up to the next sync marker, appended crash dumps are read, and logs with unknown incompatible flags are not supported. Texts inside topics and event metadata are not read.',
  scope: 'files',
  recognise: async (tree, misnamed) => (await import('./recognise.ts')).recogniseUlog(tree, misnamed),
  matchesHead: async (head) => (await import('./recognise.ts')).startsAsUlog(head),
  divide: async (recognition) => (await import('./recognise.ts')).divideUlog(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openUlog(tree, recognition),
};
