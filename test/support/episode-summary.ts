import { createHash } from 'node:crypto';
import { significant } from '#core';
import { type Episode, type Finding, type Stream, timesOf } from '#core/episode';
import type { ReadSet } from './read-dataset.ts';

/** Returns the expected result of a reader as plain JSON: counts, choices, and a hash of the numbers. */
export function summaryOf({
  format,
  path,
  declared_episodes,
  findings,
  episodes,
  unreadable,
}: ReadSet): unknown {
  return {
    ...{ format, path, declared_episodes },
    findings: findings.map(findingLine),
    episodes: episodes.map(episodeSummary),
    unreadable: unreadable.map(({ id, index, finding }) => ({ id, index, finding: findingLine(finding) })),
  };
}

function findingLine({ code, severity, path }: Finding): string {
  return `${severity} ${code}${path === null ? '' : ` in ${path}`}`;
}

function episodeSummary(episode: Episode): unknown {
  const { id, index, locator, start_ns, tasks, outcome, robot, sources, grippers, events } = episode;
  return {
    ...{ id, index, locator, start_ns, robot },
    duration_s: significant(episode.duration_s),
    tasks: tasks?.map(({ text, source }) => `${source}: ${text}`) ?? null,
    outcome: `${outcome.value} (${outcome.evidence})`,
    events: events.map(({ time_s, label }) => `${significant(time_s)} s ${label}`),
    sources: sources.map(
      ({ path, bytes, role, sha256 }) => `${role} ${path} ${bytes} ${sha256?.slice(0, 16) ?? 'not hashed'}`,
    ),
    grippers: grippers.map(
      ({ stream, dimension, unit, open_value, evidence }) =>
        `${stream}[${dimension}] ${unit}, open ${open_value ?? 'unknown'} (${evidence})`,
    ),
    ...(episode.labels === null
      ? {}
      : { labels: episode.labels.map(({ category, box_px }) => `${category} ${boxText(box_px)}`) }),
    streams: episode.streams.map(streamSummary),
    findings: episode.findings.map(findingLine),
  };
}

const boxText = (box: readonly number[] | null): string =>
  box === null ? 'of the picture' : `at ${box.map((value) => significant(value)).join(', ')}`;

function streamSummary(stream: Stream): unknown {
  const { id, role, modality, shape, names, unit, sample_count, declared_rate_hz, series, frames } = stream;
  const times = timesOf(stream);
  return {
    ...{ id, role, modality, shape, names, sample_count, declared_rate_hz },
    unit: `${unit.unit} (${unit.evidence})`,
    clocks: stream.clocks.map(({ name, provenance }) => `${name} (${provenance})`),
    clock: stream.clock?.index ?? null,
    times: times === null ? null : hashOf(times),
    ...(series === undefined ? {} : { dims: series.dims, numbers: hashOf(Float64Array.from(series.values)) }),
    ...(frames === undefined
      ? {}
      : {
          locator: frames.locator,
          declared_size_px: frames.declared_size_px,
          declared_codec: frames.declared_codec,
          payloads: frames.payloads === undefined ? null : hashOf(Float64Array.from(frames.payloads.crc32)),
          kept: frames.kept?.length ?? null,
        }),
  };
}

function hashOf(values: Float64Array): string {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}
