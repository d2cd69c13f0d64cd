import { readFileSync } from 'node:fs';
import { wrapReadError } from '#core';
import { checkMapping, type MappingCheck, type SignalCheck, type Spread } from '#formats';
import type { Io } from '../../io.ts';
import { requireLocalPath } from '../../require-local-path.ts';
import { findingLines } from '../../tables/finding-lines.ts';
import { painter } from '../../tables/paint.ts';
import { columns, count, grouped, wrap } from '../../text.ts';

/** Options of `assay map check`. */
export interface MapCheckArgs {
  readonly mapping?: string;
  readonly json?: boolean;
}

/**
 * Runs `assay map check PATH`: reads all recordings with the mapping and shows what each setting found. Returns exit code
 * 1 if something that the mapping names is absent or unusable.
 */
export async function mapCheckCommand(path: string, args: MapCheckArgs, io: Io): Promise<number> {
  requireLocalPath(path, 'assay map check');
  io.note(`assay: reading the recordings in ${path}\n`);
  const mapping = args.mapping === undefined ? {} : { mapping: readMappingFile(args.mapping) };
  const result = await checkMapping(path, { signal: io.signal, ...mapping });
  await io.out(args.json === true ? `${JSON.stringify(result, null, 2)}\n` : inWords(result, io));
  return result.ok ? 0 : 1;
}

function readMappingFile(path: string): { path: string; text: string } {
  try {
    return { path, text: readFileSync(path, 'utf8') };
  } catch (thrown) {
    throw wrapReadError(thrown, path, 'pass a readable mapping file, YAML or JSON');
  }
}

const maxUnused = 40;

function inWords(result: MappingCheck, io: Io): string {
  const paint = painter(io.colours);
  const { mapping, recordings, episodes, unreadable, rows, findings, unused } = result;
  const lost = unreadable === 0 ? '' : `, ${paint('red', `${grouped(unreadable)} unreadable`)}`;
  const lines = [
    paint('bold', mapping),
    `  ${count(recordings, 'recording')}, ${count(episodes, 'episode')}${lost}, ${count(rows, 'row')}`,
    '',
    ...signalLines(result),
    ...clockLines(result),
    ...textLines(result),
  ];
  if (unused.length > 0) {
    const more = unused.length > maxUnused ? `, … (${unused.length})` : '';
    lines.push(
      '',
      ...wrap(`Not used: ${unused.slice(0, maxUnused).join(', ')}${more}`, io.columns - 4, '  '),
    );
  }
  if (findings.length > 0) lines.push('', ...findingLines(findings, io.columns, paint));
  const [verdict, style] = result.ok
    ? (['The mapping fits the recordings', 'green'] as const)
    : (['The mapping does not fit all recordings', 'red'] as const);
  return `${[...lines, '', paint(style, verdict)].join('\n')}\n`;
}

const maxSourceWidth = 44;

function signalLines({ streams, cameras, episodes }: MappingCheck): string[] {
  const isAbsent = (signal: SignalCheck) => signal.is_optional && signal.episodes === 0;
  const absent = [...streams, ...cameras].filter(isAbsent).map(({ id }) => id);
  const present = [...streams, ...cameras].filter((signal) => !isAbsent(signal));
  const rows = present.map((signal) => [
    signal.id,
    signal.role,
    shorten(signal.source.join(', ')),
    shapeText(signal),
    spreadText(signal.rows),
    rateText(signal.rate_hz),
    cameras.includes(signal) ? '' : (signal.unit ?? '?'),
    foundText(signal, episodes),
  ]);
  const heading = ['stream', 'role', 'from', 'shape', 'rows', 'measured rate', 'unit', 'found in'];
  const table = columns([heading, ...rows])
    .trimEnd()
    .split('\n');
  const others = absent.length === 0 ? [] : [`optional, found in no episode: ${absent.join(', ')}`];
  return [...table, ...others].map((line) => `  ${line}`);
}

function clockLines({ clocks }: MappingCheck): string[] {
  if (clocks.length === 0)
    return ['', '  time: the mapping declares neither a clock nor a rate; add clocks or rate_hz'];
  return clocks.map(({ name, provenance, rate_hz, not_increasing, missing }, at) => {
    const order =
      not_increasing === 0 ? 'always increases' : `does not increase at ${count(not_increasing, 'row')}`;
    const gaps = missing === 0 ? '' : `, missing in ${count(missing, 'row')}`;
    return `${at === 0 ? '\n' : ''}  clock ${name} (${provenance}): ${rateText(rate_hz)}, ${order}${gaps}`;
  });
}

function textLines({ tasks, outcomes, episodes }: MappingCheck): string[] {
  const line = (what: string, found: number | null) =>
    found === null ? [] : [`  ${what}: in ${grouped(found)} of ${count(episodes, 'episode')}`];
  return [...line('task', tasks), ...line('outcome', outcomes)];
}

const shorten = (text: string): string =>
  text.length <= maxSourceWidth ? text : `${text.slice(0, maxSourceWidth - 1)}…`;

function shapeText({ shapes }: SignalCheck): string {
  const [first] = shapes;
  if (first === undefined) return '–';
  return `[${first.shape.join(', ')}]${shapes.length > 1 ? ' and others' : ''}`;
}

function spreadText(spread: Spread | null): string {
  if (spread === null) return '–';
  return spread.min === spread.max ? String(spread.min) : `${spread.min} to ${spread.max}`;
}

function rateText(spread: Spread | null): string {
  if (spread === null) return '–';
  const text = (value: number) => String(Number(value.toPrecision(4)));
  const [low, high] = [text(spread.min), text(spread.max)];
  return low === high ? `${low} Hz` : `${low} to ${high} Hz`;
}

function foundText({ episodes, is_optional }: SignalCheck, all: number): string {
  return `${grouped(episodes)} of ${grouped(all)}${is_optional ? ' (optional)' : ''}`;
}
