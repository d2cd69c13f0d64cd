import type { SourceTree } from '../../bytes/source-tree.ts';
import { flightUnits } from '../../flight/flight-units.ts';
import type { Dataset, Recognition } from '../../reader.ts';
import { readLog } from './read-log.ts';

/** A unit a file; what is in them is read unit by unit. */
export function openUlog(tree: SourceTree, recognition: Recognition): Dataset {
  return {
    facts: {
      format: 'ulog',
      version: null,
      declared_episodes: null,
      declared_frames: null,
      declared_rate_hz: null,
      robot: null,
      declared_cameras: [],
    },
    recognition,
    findings: [],
    units: flightUnits(tree),
    read: (unit, options) => readLog(tree, unit, options),
    close: async () => {},
  };
}
