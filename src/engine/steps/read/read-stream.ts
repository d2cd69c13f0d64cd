import { AssayError } from '#core';
import type { StreamSamples } from '#core/api';
import type { ShardRows } from '#store';
import { shardReader } from '#store/blobs';
import { downsample } from './downsample.ts';
import type { StreamTask } from './reader-tasks.ts';

/** Shown at once where none are named; a stream may have thousands. */
const mostDimensions = 64;

/** Reads the window's rows and makes the answer's JSON of them. Throws `not_found`, `invalid_request`. */
export async function readStream(task: StreamTask): Promise<Uint8Array> {
  const { readShardStream } = await shardReader();
  const { shard, stream_id, from, to } = task;
  const bounds = {
    ...(from === null ? {} : { from_s: from }),
    ...(to === null ? {} : { to_s: to }),
  };
  const rows = await readShardStream(shard.path, shard.place, stream_id, bounds);
  return new TextEncoder().encode(JSON.stringify(samplesOf(rows, task)));
}

function samplesOf(rows: ShardRows, task: StreamTask): StreamSamples {
  const { stream, values, dims, time_s, total_rows } = rows;
  const at = time_s ?? Float64Array.from({ length: total_rows }, (_, row) => row);
  const dimensions = wantedDimensions(task, dims);
  const [from, to] = [task.from ?? least(at), task.to ?? greatest(at)];
  const columns = downsample({ values, dims, at }, { from, to, columns: task.columns, dimensions });
  return {
    stream_id: stream.id,
    axis: time_s === null ? 'row' : 'time_s',
    from,
    to,
    rows: columns.rows,
    total_rows,
    at: [...columns.at],
    dims,
    dimensions: columns.dimensions.map(({ min, max, not_finite }, k) => ({
      index: dimensions[k],
      name: stream.names?.[dimensions[k]] ?? null,
      min: [...min],
      max: [...max],
      not_finite: [...not_finite],
    })),
  };
}

function wantedDimensions({ dimensions }: StreamTask, dims: number): readonly number[] {
  if (dimensions === null) return Array.from({ length: Math.min(dims, mostDimensions) }, (_, k) => k);
  const beyond = dimensions.find((dimension) => dimension >= dims);
  if (beyond === undefined) return [...new Set(dimensions)];
  throw new AssayError('invalid_request', `the stream has ${dims} dimensions, none with index ${beyond}`, {
    advice: 'count dimensions from 0',
  });
}

/** 0 for no rows. */
const least = (at: Float64Array): number => at.reduce((a, b) => (b < a ? b : a), at[0] ?? 0);
const greatest = (at: Float64Array): number => at.reduce((a, b) => (b > a ? b : a), at[0] ?? 0);
