import type { JsonObject } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { type OpenReading, openFlightLogs } from '../shared/flight/read-flight-log.ts';
import type { Dataset, Recognition } from '../shared/reader.ts';
import { LogReading } from './log-reading.ts';
import { Damage, LogWalk } from './log-walk.ts';

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

const mostShown = 32;
const mostCharacters = 200;

/** `PX4` and the board it ran on. */
function robotOf({ information }: LogReading): string {
  const system = information.get('sys_name') ?? 'PX4';
  const board = information.get('ver_hw');
  return board === undefined ? String(system) : `${system} ${board}`;
}

/** What a log says of itself: its information messages, its parameters, its version. */
function aboutLog(reading: LogReading, path: string): Finding[] {
  const { information, parameters, changedParameters } = reading;
  const findings: Finding[] = [];
  const add = (code: string, message: string, evidence: JsonObject): void => {
    findings.push({ code, severity: 'info', path, message, advice: 'nothing to do', evidence });
  };
  const shown = [...information]
    .filter(([key]) => /^(sys_|ver_|time_ref_utc|replay)/.test(key))
    .slice(0, mostShown)
    .map(([key, value]) => [key, typeof value === 'string' ? value.slice(0, mostCharacters) : value]);
  if (shown.length > 0)
    add(
      'log_information',
      `${robotOf(reading)}; what the log says of itself is listed`,
      Object.fromEntries(shown),
    );
  if (parameters.size > 0) {
    const changed = [...changedParameters].slice(0, mostShown);
    const during = changed.length === 0 ? 'none changed' : `${changedParameters.size} changed during the log`;
    add('log_parameters', `${parameters.size} parameters, ${during}`, {
      parameters: parameters.size,
      changed,
    });
  }
  if (reading.version > 1) {
    const { version } = reading;
    add('version_newer', `the file is of version ${version}; it was read as version 1`, { version });
  }
  return findings;
}
