import type { FormatReader } from '../shared/reader.ts';

/** Reader of ArduPilot DataFlash logs. */
export const dataflashReader: FormatReader = {
  id: 'dataflash',
  title: 'ArduPilot DataFlash',
  about:
    'ArduPilot flight logs, binary (.bin) or text (.log). Each file is one episode. Every numeric field of every message becomes part of a stream, with sensor instances kept apart: attitude, rates, position, desired values, outputs, sensors and battery under ArduPilot’s own names, and all others too. Units come from the FMTU, UNIT and MULT messages of the log. Texts, arming, modes, errors and changed parameters become events; blocks that the logger reports as dropped (DSF) are recorded. Time is the autopilot’s time since boot, converted to UTC (without leap seconds) if GPS week and milliseconds were logged. Corrupt bytes between messages are skipped.',
  scope: 'files',
  recognise: async (tree, misnamed) => (await import('./recognise.ts')).recogniseDataflash(tree, misnamed),
  matchesHead: async (head) => (await import('./recognise.ts')).startsAsDataflash(head),
  divide: async (recognition) => (await import('./recognise.ts')).divideDataflash(recognition),
  open: async (tree, recognition) => (await import('./open.ts')).openDataflash(tree, recognition),
};
