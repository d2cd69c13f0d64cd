import type { GripperConvention, Stream } from '#episode';
import { significant } from '#kernel';
import { grippersOf } from '../../messages/grippers.ts';
import type { Mapping, StreamMapping } from './mapping.ts';

/**
 * What the mapping declares of grippers, with the range seen; columns that are only called so stay unknown. `columnsOf`
 * names the columns that a stream was put together from.
 */
export function mappedGrippers(
  mapping: Mapping,
  path: string,
  streams: readonly Stream[],
  columnsOf: (stream: string) => readonly string[],
): GripperConvention[] {
  const declared = streams.flatMap((stream) => {
    const own = mapping.streams.find(({ id }) => id === stream.id);
    return own === undefined ? [] : declaredOf(stream, own.grippers, columnsOf(stream.id), path);
  });
  const known = new Set(declared.map(({ stream, dimension }) => `${stream}\0${dimension}`));
  const byName = grippersOf(streams).filter(({ stream, dimension }) => !known.has(`${stream}\0${dimension}`));
  const reason = `${path} does not say which value means open`;
  return [...declared, ...byName.map((found) => ({ ...found, reason }))];
}

function declaredOf(
  stream: Stream,
  grippers: StreamMapping['grippers'],
  columns: readonly string[],
  path: string,
): GripperConvention[] {
  return grippers.flatMap(({ column, open_value, unit }) => {
    const listed = columns.indexOf(column);
    const dimension = listed >= 0 ? listed : (stream.names?.indexOf(column) ?? -1);
    if (dimension < 0 || dimension >= (stream.series?.dims ?? 0)) return [];
    return [
      {
        stream: stream.id,
        dimension,
        name: stream.names?.[dimension] ?? null,
        unit: unit ?? stream.unit.unit,
        range_observed: rangeOf(stream, dimension),
        open_value,
        evidence: open_value === null ? ('unknown' as const) : ('declared' as const),
        reason: open_value === null ? `${path} leaves open which value means open` : `${path} declares it`,
      },
    ];
  });
}

function rangeOf({ series }: Stream, dimension: number): readonly [number, number] {
  const { values, dims } = series ?? { values: new Float64Array(0), dims: 1 };
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let at = dimension; at < values.length; at += dims) {
    if (values[at] < low) low = values[at];
    if (values[at] > high) high = values[at];
  }
  return high >= low ? [significant(low), significant(high)] : [0, 0];
}
