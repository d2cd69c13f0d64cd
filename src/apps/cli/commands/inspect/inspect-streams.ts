import type { StreamView } from '#engine/local';
import { wrap } from '../../wrap.ts';

const heading = ['stream', 'role', 'shape', 'samples', 'rate', 'clock', 'unit'] as const;
const widest = 44;

/** Streams as a table, those that are judged first; the others are named in a line, so that 200 topics stay readable. */
export function streamLines(streams: readonly StreamView[], columns: number): string[] {
  const judged = streams.filter((stream) => stream.judged);
  const others = streams.filter((stream) => !stream.judged).map(({ id }) => id);
  const rows = judged.map(cellsOf);
  const shown = heading.map((_, at) => rows.some((row) => row[at] !== ''));
  const table = [[...heading], ...rows].map((row) => row.filter((_, at) => shown[at]));
  const widths = table[0].map((_, at) => Math.min(widest, Math.max(...table.map((row) => row[at].length))));
  return [
    ...(rows.length === 0 ? [] : table.map((row) => aligned(row, widths))),
    ...(others.length === 0
      ? []
      : wrap(`kept and not judged: ${others.join(', ')}`, columns - 4, '').map((line, at) =>
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

/** What a newcomer cannot know. */
function legend(streams: readonly StreamView[]): string[] {
  const computed = streams.some(({ clock }) => clock?.provenance === 'synthesised');
  const unknown = streams.some(({ modality, unit }) => modality === 'numeric' && unit === 'unknown');
  return [
    ...(computed ? ['(synthesised: stamps were computed and prove nothing of when it was captured)'] : []),
    ...(unknown ? ['(?: the recording does not say the unit)'] : []),
  ];
}
