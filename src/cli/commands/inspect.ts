import { styleText } from 'node:util';
import { type DatasetView, type Inspection, inspect, type StreamView } from '#assessment';
import type { Io } from '../io.ts';
import { bytesInWords, count } from '../words.ts';
import { wrap } from '../wrap.ts';

/** `assay inspect PATH`: what is there, why it was taken for that, what will be ignored. */
export async function inspectCommand(path: string, args: { json?: boolean }, io: Io): Promise<number> {
  io.note(`assay: looking at ${path}\n`);
  const inspection = await inspect(path, io.signal);
  await io.out(args.json === true ? `${JSON.stringify(inspection, null, 2)}\n` : inWords(inspection, io));
  return 0;
}

function inWords({ datasets, findings }: Inspection, io: Io): string {
  const bold = (text: string) => (io.colours ? styleText('bold', text, { validateStream: false }) : text);
  const lines = datasets.flatMap((view) => ['', ...datasetLines(view, bold, io.columns)]);
  for (const { severity, message, path } of findings) {
    lines.push(
      `  ${severity.padEnd(7)} ${path === null || message.includes(path) ? '' : `${path}: `}${message}`,
    );
  }
  return `${lines.slice(1).join('\n')}\n`;
}

function datasetLines(view: DatasetView, bold: (text: string) => string, columns: number): string[] {
  const version = view.version === null ? '' : ` ${view.version}`;
  const rate = view.declared_rate_hz === null ? '' : ` at ${view.declared_rate_hz} Hz`;
  const frames = view.declared_frames === null ? '' : `, ${count(view.declared_frames, 'frame')}${rate}`;
  const robot = view.robot === null ? '' : `, robot ${view.robot}`;
  const lines = [
    bold(`${view.path}: ${view.format}${version}`),
    ...wrap(`because ${view.evidence.join('; ')}`, columns - 2, '  '),
    `  ${count(view.expected_episodes, 'episode')}${frames}${robot}, ${bytesInWords(view.bytes)} to read`,
  ];
  if (view.first !== null) {
    lines.push(`  first episode ${view.first.id}, ${view.first.duration_s} s, ${view.first.kind}:`);
    lines.push(...view.first.streams.map((stream) => `    ${streamLine(stream)}`));
    for (const { severity, message } of view.first.findings)
      lines.push(...wrap(`${severity}: ${message}`, columns - 4, '    '));
  } else lines.push(`  streams: ${view.first_reason}`);
  for (const { severity, message } of view.findings)
    lines.push(...wrap(`${severity}: ${message}`, columns - 4, '  '));
  return lines;
}

function streamLine(stream: StreamView): string {
  const shape = stream.shape.length === 0 ? '' : ` [${stream.shape.join(', ')}]`;
  const rates = [
    ...(stream.declared_rate_hz === null ? [] : [`${stream.declared_rate_hz} Hz declared`]),
    ...(stream.measured_rate_hz === null ? [] : [`${stream.measured_rate_hz} Hz measured`]),
  ];
  const clock =
    stream.clock === null
      ? 'no clock'
      : `clock ${stream.clock.name} (${stream.clock.provenance}${stream.clock.others.length > 0 ? `; also ${stream.clock.others.join(', ')}` : ''})`;
  const unit = stream.unit === 'unknown' ? [] : [stream.unit];
  const ignored = stream.judged ? [] : ['kept, not judged'];
  return [
    `${stream.id}${shape} ${stream.role}`,
    count(stream.samples, 'sample'),
    ...rates,
    clock,
    ...unit,
    ...ignored,
  ].join(', ');
}
