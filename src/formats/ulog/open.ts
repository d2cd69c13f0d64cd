import type { SourceTree } from '#io/sources';
import type { OpenReading } from '../shared/flight/read-flight-log.ts';
import { openFlightLogs } from '../shared/flight/read-flight-log.ts';
import type { Dataset, Recognition } from '../shared/reader.ts';
import { Damage } from './damage.ts';
import { aboutLog, robotOf } from './log-information.ts';
import { LogReading } from './log-reading.ts';
import { LogWalk } from './log-walk.ts';

export function openUlog(tree: SourceTree, recognition: Recognition): Dataset {
  return openFlightLogs(tree, recognition, openReading);
}

const openReading: OpenReading = (source, path, log) => {
  const damage = new Damage();
  const reading = new LogReading(log);
  const walk = new LogWalk(source, path, reading, damage);
  return {
    get offset() {
      return walk.offset;
    },
    get messages() {
      return reading.messages;
    },
    begin: () => walk.begin(),
    step: () => walk.step(),
    robot: () => robotOf(reading),
    findings: (isLast) => [
      ...aboutLog(reading, path),
      ...reading.findings(path),
      ...(isLast ? damage.findings(path) : []),
    ],
    restart: () => reading.restart(),
  };
};
