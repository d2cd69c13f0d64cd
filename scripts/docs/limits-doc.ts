import { type Limit, limits } from '#core';

const titles: Readonly<Record<keyof typeof limits, string>> = {
  requests: 'Requests',
  copilot: 'Copilot',
  vision: 'Vision endpoint',
  uploads: 'Uploads',
  storage: 'Storage',
  recordings: 'Recordings',
  annotation: 'Annotation',
  notifications: 'Notifications',
  workers: 'Workers',
};

/** docs/limits.md: what operators may meet, and what they can set. */
export function limitsDoc(): string {
  const parts = Object.entries(titles).map(([id, title]) => {
    const rows: Readonly<Record<string, Limit>> = limits[id as keyof typeof limits];
    return [
      `## ${title}`,
      '',
      '| limit | value | beyond it | set by |',
      '|---|---|---|---|',
      ...Object.entries(rows).map(row),
      '',
    ].join('\n');
  });
  return `# Limits

Limits of a running service, from \`src/core/limits.ts\`. Those with a variable can be changed; the value shown
is the default ([configuration.md](configuration.md)). \`ASSAY_WORKERS\` sets how many threads work on runs (default: one a core).
A worker process uses at most 70 % of the memory of its machine or container; above that, the thread that uses most memory is
ended. Readers of formats have additional limits against files that declare more data than they contain; their
findings state them.

${parts.join('\n')}`;
}

const row = ([id, { what, value, beyond, set_by }]: [string, Limit]): string =>
  `| ${what} | ${inWords(id, value)} | ${beyond} | ${set_by === undefined ? '' : `\`${set_by}\``} |`;

const day_s = 86_400;

const sizes = [
  ['TiB', 2 ** 40],
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
] as const;
const times = [
  ['days', day_s],
  ['h', 3600],
  ['min', 60],
] as const;

/** A value with its unit, which ends the id. */
function inWords(id: string, value: number): string {
  if (id.endsWith('_bytes')) return largest(value, sizes) ?? `${value} bytes`;
  if (id.endsWith('_ms')) return duration(value / 1000);
  if (id.endsWith('_s')) return duration(value);
  if (id.endsWith('_per_minute')) return `${grouped(value)} a minute`;
  if (id.endsWith('_chars')) return `${grouped(value)} characters`;
  return grouped(value);
}

const duration = (seconds: number): string =>
  (seconds > 120 ? largest(seconds, times) : null) ?? `${seconds} s`;

/** In the largest unit of which it is a whole number. */
function largest(value: number, units: readonly (readonly [name: string, one: number])[]): string | null {
  const unit = units.find(
    ([, one]) => value >= one && value % one === 0 && !(one === day_s && value < 2 * one),
  );
  return unit === undefined ? null : `${value / unit[1]} ${unit[0]}`;
}

const grouped = (value: number): string => value.toLocaleString('en-US');
