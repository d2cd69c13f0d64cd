import { styleText } from 'node:util';
import type { Finding } from '#core/episode';
import { type DatasetView, type EpisodeView, type Inspection, inspect, type StreamView } from '#engine/local';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { readRecipeFile } from '../../read-recipe.ts';
import { bytesInWords, count, printableName, wrap } from '../../text.ts';
import { type AddressArguments, withRecordings } from '../../with-recordings.ts';

export interface InspectArguments extends AddressArguments {
  readonly json?: boolean;
  readonly recipe?: string;
}

/**
 * Runs `assay inspect PATH`: shows how each dataset was recognised, the streams of its first episode with their
 * measured rates, and what will be ignored.
 */
export async function inspectCommand(
  path: string,
  args: InspectArguments,
  io: Io,
  launcher: Pick<Launcher, 'webSettings'>,
): Promise<number> {
  io.note(`assay: scanning ${path}\n`);
  const recipe = args.recipe === undefined ? {} : { recipe: await readRecipeFile(args.recipe) };
  const inspection = await withRecordings(path, args, io, launcher, ({ recordings }) =>
    inspect(recordings, { signal: io.signal, ...recipe }),
  );
  await io.out(
    args.json === true ? `${JSON.stringify(inspection, null, 2)}\n` : inWords(path, inspection, io),
  );
  return 0;
}

function inWords(path: string, { datasets, findings }: Inspection, io: Io): string {
  const bold = (text: string) => (io.colours ? styleText('bold', text, { validateStream: false }) : text);
  const lines = datasets.flatMap((view) => ['', ...datasetLines(path, view, bold, io.columns)]);
  if (findings.length > 0)
    lines.push('', bold('Other findings'), ...findingLines(findings, '  ', io.columns));
  return `${lines.slice(1).join('\n')}\n`;
}

function datasetLines(
  path: string,
  view: DatasetView,
  bold: (text: string) => string,
  columns: number,
): string[] {
  const name = printableName(view.path === '.' ? path : view.path);
  const version = view.version === null ? '' : ` ${view.version}`;
  const rate = view.declared_rate_hz === null ? '' : ` at ${view.declared_rate_hz} Hz`;
  const frames = view.declared_frames === null ? '' : `, ${count(view.declared_frames, 'frame')}${rate}`;
  const robot = view.robot === null ? '' : `, robot ${view.robot}`;
  return [
    bold(`${name}: ${view.format}${version}`),
    ...wrap(`recognised because ${view.evidence.join('; ')}`, columns - 2, '  '),
    `  ${count(view.expected_episodes, 'episode')}${frames}${robot}, ${bytesInWords(view.bytes)} to read`,
    ...(view.first === null
      ? wrap(`streams: ${view.first_reason}`, columns - 2, '  ')
      : ['', ...episodeLines(view.first, columns)]),
    ...(view.findings.length === 0 ? [] : ['', ...findingLines(view.findings, '  ', columns)]),
  ];
}

function episodeLines(episode: EpisodeView, columns: number): string[] {
  const { id, kind, whole, cuts } = episode;
  const part = whole ? '' : ', only the beginning was read';
  return [
    `  first episode ${id}: ${lengthOf(episode)}${kind}${part}`,
    ...streamLines(episode.streams, columns).map((line) => `    ${line}`),
    ...findingLines(episode.findings, '    ', columns),
    ...(cuts === null ? [] : ['', ...cutLines(episode, columns)]),
  ];
}

function lengthOf({ duration_s, whole, claimed }: EpisodeView): string {
  if (duration_s <= 0) return '';
  if (whole) return `${duration_s} s, `;
  const all = claimed === null ? '' : ` of ${claimed.duration_s} s (${count(claimed.messages, 'message')})`;
  return `the first ${duration_s} s${all}, `;
}

const maxListedCuts = 20;

function cutLines({ id, cuts, whole }: EpisodeView, columns: number): string[] {
  const all = cuts ?? [];
  const beginning = whole ? '' : ' (in the part that was read)';
  const lines = all
    .slice(0, maxListedCuts)
    .flatMap((cut) => [
      ...(cut.begins === ''
        ? []
        : [`    ${cut.id}  ${cut.from_s} to ${cut.to_s} s (from ${cut.begins} to ${cut.ends})`]),
      ...cut.said.flatMap((text) => wrap(text, columns - 6, '      ')),
    ]);
  const more = all.length > maxListedCuts ? [`    and ${all.length - maxListedCuts} more`] : [];
  return [`  the recipe cuts ${id}${beginning} into:`, ...lines, ...more];
}

function findingLines(findings: readonly Finding[], indent: string, columns: number): string[] {
  return findings.flatMap(({ severity, message, path, advice }) => {
    const place = path === null || message.includes(path) ? '' : `${path}: `;
    const findingText = wrap(`${severity}: ${place}${message}`, columns - indent.length, indent);
    if (advice.startsWith('nothing to do')) return findingText;
    return [...findingText, ...wrap(`→ ${advice}`, columns - indent.length - 2, `${indent}  `)];
  });
}

const heading = ['stream', 'role', 'shape', 'samples', 'rate', 'clock', 'unit'] as const;
const maxColumnWidth = 44;

/** Renders judged streams as a table; the others are named in one line, so that 200 topics stay readable. */
function streamLines(streams: readonly StreamView[], columns: number): string[] {
  const judged = streams.filter((stream) => stream.judged);
  const others = streams.filter((stream) => !stream.judged).map(({ id }) => id);
  const rows = judged.map(cellsOf);
  const visibleColumns = heading.map((_, at) => rows.some((row) => row[at] !== ''));
  const table = [[...heading], ...rows].map((row) => row.filter((_, at) => visibleColumns[at]));
  const widths = table[0].map((_, at) =>
    Math.min(maxColumnWidth, Math.max(...table.map((row) => row[at].length))),
  );
  return [
    ...(rows.length === 0 ? [] : table.map((row) => aligned(row, widths))),
    ...(others.length === 0
      ? []
      : wrap(`not assessed: ${others.join(', ')}`, columns - 4, '').map((line, at) =>
          at === 0 ? line : `  ${line}`,
        )),
    ...legend(judged),
  ];
}

function cellsOf(stream: StreamView): string[] {
  const { shape, clock, measured_rate_hz, declared_rate_hz } = stream;
  const measured = measured_rate_hz === null ? '' : `${measured_rate_hz} Hz`;
  const declared =
    declared_rate_hz === null || declared_rate_hz === measured_rate_hz
      ? ''
      : `${declared_rate_hz} Hz declared`;
  const others = clock === null || clock.others.length === 0 ? '' : `, also ${clock.others.join(', ')}`;
  return [
    stream.id,
    stream.role,
    shape.length === 0 ? '' : `[${shape.join(', ')}]`,
    String(stream.samples),
    [measured, declared].filter((text) => text !== '').join(', '),
    clock === null ? 'none' : `${clock.name} (${clock.provenance})${others}`,
    stream.modality !== 'numeric' ? '' : stream.unit === 'unknown' ? '?' : stream.unit,
  ];
}

function aligned(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at])))
    .join('  ')
    .trimEnd();
}

/** Returns explanations of the notation that the table uses; empty if it uses none. */
function legend(streams: readonly StreamView[]): string[] {
  const computed = streams.some(({ clock }) => clock?.provenance === 'synthesised');
  const unknown = streams.some(({ modality, unit }) => modality === 'numeric' && unit === 'unknown');
  return [
    ...(computed
      ? ['(synthesised: timestamps were computed, not recorded; they do not show when samples were captured)']
      : []),
    ...(unknown ? ['(?: the recording does not state the unit)'] : []),
  ];
}
