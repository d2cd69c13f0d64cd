import type { FormatReader } from '../shared/reader.ts';

export const ulogReader: FormatReader = {
  id: 'ulog',
  title: 'PX4 ULog',
  about:
    'Flight logs of PX4, each file an episode, alone or in folders. Every topic becomes streams with every number of its messages: attitude, rates, position, setpoints, actuators, sensors and battery by PX4’s own definitions, the rest beside them. Logged texts, arming, modes, failsafe and changed parameters become events; the recorder’s own dropout records are kept as such. Time is the autopilot’s since boot, in UTC where a satellite receiver was logged. Damaged bytes are passed over to the next sync mark, appended crash dumps are read, and a log that sets flags nobody here knows is refused. Texts inside topics and metadata of events are not read.',
  scope: 'files',
  recognise: async (tree, misnamed) => (await import('./recognise.ts')).recogniseUlog(tree, misnamed),
  matchesHead: async (head) => (await import('./recognise.ts')).startsAsUlog(head),
  divide: async (recognition) => (await import('./recognise.ts')).divideUlog(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openUlog(tree, recognition),
};
