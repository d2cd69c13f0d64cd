import type { Finding, GripperConvention, Series, Stream } from '#core/episode';
import { grippersOf } from '../shared/messages/grippers.ts';
import { observedRange } from '../shared/observed-range.ts';
import type { StreamRows } from './episode-rows.ts';
import type { StreamMapping } from './mapping.ts';

/** A stream with the rows that it was put together from. */
export interface MappedStream {
  readonly stream: Stream & { readonly series: Series };
  readonly rows: StreamRows;
}

/** What the mapping declares of grippers, with the range seen; columns that are only called so stay unknown. */
export function mappedGrippers(
  streams: readonly MappedStream[],
  path: string,
): { readonly grippers: GripperConvention[]; readonly findings: Finding[] } {
  const findings: Finding[] = [];
  const declared = streams.flatMap(({ stream, rows }) =>
    rows.plan.mapping.grippers.flatMap((gripper) => {
      const dimension = rows.dimensionOf(gripper.column) ?? stream.names?.indexOf(gripper.column) ?? -1;
      if (dimension >= 0) return [declaredOf(stream, dimension, gripper, path)];
      findings.push(notFound(stream, gripper.column, path));
      return [];
    }),
  );
  const known = new Set(declared.map(({ stream, dimension }) => `${stream}\0${dimension}`));
  const byName = grippersOf(streams.map(({ stream }) => stream)).filter(
    ({ stream, dimension }) => !known.has(`${stream}\0${dimension}`),
  );
  const reason = `${path} does not say which value means open`;
  return { grippers: [...declared, ...byName.map((found) => ({ ...found, reason }))], findings };
}

function declaredOf(
  stream: MappedStream['stream'],
  dimension: number,
  { open_value, unit }: StreamMapping['grippers'][number],
  path: string,
): GripperConvention {
  return {
    stream: stream.id,
    dimension,
    name: stream.names?.[dimension] ?? null,
    unit: unit ?? stream.unit.unit,
    range_observed: observedRange(stream.series, dimension),
    open_value,
    evidence: open_value === null ? 'unknown' : 'declared',
    reason: open_value === null ? `${path} leaves open which value means open` : `${path} declares it`,
  };
}

function notFound({ id }: Stream, column: string, path: string): Finding {
  return {
    code: 'gripper_not_found',
    severity: 'error',
    path,
    message: `${path} declares a gripper in ${column}, which is no single number of ${id}`,
    advice: 'name one of the columns of that stream, or of a column of lists one of its names',
  };
}
