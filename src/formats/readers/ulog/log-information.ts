import type { Finding } from '#episode';
import type { JsonObject } from '#kernel';
import type { LogReading } from './log-reading.ts';

const mostShown = 32;
const mostCharacters = 200;

/** Who wrote a log and with what settings, as its own information messages and parameters say. */
export function aboutLog(
  reading: LogReading,
  path: string,
): { readonly robot: string | null; readonly findings: readonly Finding[] } {
  const { information, parameters, changedParameters } = reading;
  const system = String(information.get('sys_name') ?? 'PX4');
  const board = information.get('ver_hw');
  const findings: Finding[] = [];
  const add = (code: string, severity: Finding['severity'], message: string, evidence: JsonObject): void => {
    findings.push({ code, severity, path, message, advice: 'nothing to do', evidence });
  };
  const shown = [...information]
    .filter(([key]) => /^(sys_|ver_|time_ref_utc|replay)/.test(key))
    .slice(0, mostShown);
  if (shown.length > 0) {
    const values = shown.map(([key, value]) => [
      key,
      typeof value === 'string' ? value.slice(0, mostCharacters) : value,
    ]);
    add(
      'log_information',
      'info',
      `${system} on ${board ?? 'an unnamed board'}; what the log says of itself is listed`,
      Object.fromEntries(values),
    );
  }
  if (parameters.size > 0) {
    const changed = [...changedParameters].slice(0, mostShown);
    const during = changed.length === 0 ? 'none changed' : `${changedParameters.size} changed during the log`;
    add('log_parameters', 'info', `${parameters.size} parameters, ${during}`, {
      parameters: parameters.size,
      changed,
    });
  }
  if (reading.version > 1)
    add('version_newer', 'info', `the file is of version ${reading.version}; it was read as version 1`, {
      version: reading.version,
    });
  if (reading.messages === 0)
    findings.push({
      code: 'no_messages',
      severity: 'warning',
      path,
      message: 'the log holds no message of data',
      advice: 'take the file out, or find out why nothing was logged',
    });
  findings.push(...reading.findings(path));
  return { robot: [system, board].filter((part) => part !== undefined).join(' '), findings };
}
