import type { JsonObject } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { type OpenFlightLogReader, openFlightLogs } from '../shared/flight/read-flight-log.ts';
import type { Dataset, Recognition } from '../shared/reader.ts';
import { LogReading } from './log-reading.ts';
import { Damage, LogWalk } from './log-walk.ts';

/** Opens ULogs as a dataset; each file is an episode. */
export function openUlog(tree: SourceTree, recognition: Recognition): Dataset {
  return openFlightLogs(tree, recognition, openLogReader);
}

const openLogReader: OpenFlightLogReader = (source, path, log) => {
  const damage = new Damage();
  const reader = new LogReading(log);
  const walk = new LogWalk(source, path, reader, damage);
  return {
    get offset() {
      return walk.offset;
    },
    get messages() {
      return reader.messages;
    },
    begin: () => walk.begin(),
    step: () => walk.step(),
    robot: () => robotName(reader),
    findings: (isLast) => [
      ...logFindings(reader, path),
      ...reader.findings(path),
      ...(isLast ? damage.findings(path) : []),
    ],
    restart: () => reader.restart(),
  };
};

const maxListed = 32;
const maxTextLength = 200;

/** Returns the system and the board it ran on: `PX4 PX4_FMU_V5`. */
function robotName({ information }: LogReading): string {
  const system = information.get('sys_name') ?? 'PX4';
  const board = information.get('ver_hw');
  return board === undefined ? String(system) : `${system} ${board}`;
}

/** Returns findings about the log's information messages, parameters and version. */
function logFindings(reader: LogReading, path: string): Finding[] {
  const { information, parameters, changedParameters } = reader;
  const findings: Finding[] = [];
  const add = (code: string, message: string, evidence: JsonObject): void => {
    findings.push({ code, severity: 'info', path, message, advice: 'nothing to do', evidence });
  };
  const listed = [...information]
    .filter(([key]) => /^(sys_|ver_|time_ref_utc|replay)/.test(key))
    .slice(0, maxListed)
    .map(([key, value]) => [key, typeof value === 'string' ? value.slice(0, maxTextLength) : value]);
  if (listed.length > 0)
    add(
      'log_information',
      `${robotName(reader)}; details from the log are listed`,
      Object.fromEntries(listed),
    );
  if (parameters.size > 0) {
    const changed = [...changedParameters].slice(0, maxListed);
    const during = changed.length === 0 ? 'none changed' : `${changedParameters.size} changed during the log`;
    add('log_parameters', `${parameters.size} parameters, ${during}`, {
      parameters: parameters.size,
      changed,
    });
  }
  if (reader.version > 1) {
    const { version } = reader;
    add('version_newer', `the file has version ${version}; it was read as version 1`, { version });
  }
  return findings;
}
