import type { FormatReader } from '../shared/reader.ts';

export const dataflashReader: FormatReader = {
  id: 'dataflash',
  title: 'ArduPilot DataFlash',
  about:
    'Flight logs of ArduPilot, binary (.bin) or as text (.log), each file an episode. Every number of every message becomes a stream, instances of a sensor apart: attitude, rates, position, desired values, outputs, sensors and battery by ArduPilot’s own names, the rest beside them. Units are those that the log’s FMTU, UNIT and MULT messages declare. Texts, arming, modes, errors and changed parameters become events; blocks that the logger says it dropped (DSF) are kept as such. Time is the autopilot’s since boot, in UTC where GPS week and milliseconds were logged, leap seconds taken off. Junk between messages is passed over.',
  scope: 'files',
  recognise: async (tree, misnamed) => (await import('./recognise.ts')).recogniseDataflash(tree, misnamed),
  matchesHead: async (head) => (await import('./recognise.ts')).startsAsDataflash(head),
  divide: async (recognition) => (await import('./recognise.ts')).divideDataflash(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openDataflash(tree, recognition),
};
