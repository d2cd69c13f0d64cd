import type { Component } from '#core/api';
import { checks } from './check-registry.ts';

/** Fields of a stream that show whether it could provide missing evidence. */
export interface StreamSummary {
  readonly id: string;
  readonly role: string;
  readonly modality: string;
  readonly sample_count: number;
}

/** Topics of the middleware itself, which hold no signals of a robot. */
const infrastructure =
  /(^|\/)(rosout(_agg)?|diagnostics\w*|parameter_(events|descriptions|updates)|tf_static|clock|bond|_service_event|_action\/\w+|\w*status\w*)$/;
const minSamples = 3;
const maxNamed = 5;

/**
 * Selects the streams that no check evaluates and that could hold states, actions or sensors: numbers without a role,
 * and contents that were not decoded, such as the pickles of BridgeData V2.
 */
export function selectUnusedStreams<Own extends StreamSummary>(streams: readonly Own[]): Own[] {
  return streams.filter(
    ({ id, role, modality, sample_count }) =>
      !infrastructure.test(id) &&
      (role === 'other'
        ? (modality === 'numeric' || modality === 'opaque') && sample_count >= minSamples
        : modality === 'opaque'),
  );
}

/**
 * Explains in words what the checks that could not run need, which topics or arrays could provide it, and how to map
 * them. Empty if every check could run.
 */
export function explainMissingEvidence(
  components: readonly Component[],
  streams: readonly StreamSummary[],
): string {
  const ids = new Set(components.filter(({ status }) => status === 'not_assessable').map(({ id }) => id));
  const needs = checks.rows.filter(({ id }) => ids.has(id)).map((check) => check.needs.split(';')[0]);
  if (needs.length === 0) return '';
  return `; missing: ${[...new Set(needs)].join('; ')}. ${describeSources(selectUnusedStreams(streams))}`;
}

function describeSources(unused: readonly StreamSummary[]): string {
  if (unused.length === 0) return 'No other topic or array of the recording could provide it';
  const named = unused
    .toSorted((a, b) => rank(a) - rank(b) || b.sample_count - a.sample_count || (a.id < b.id ? -1 : 1))
    .slice(0, maxNamed)
    .map(
      ({ id, modality }) => `${id} (${modality === 'numeric' ? 'numbers without a role' : 'not decoded'})`,
    );
  const more = unused.length > maxNamed ? ` and ${unused.length - maxNamed} more` : '';
  return `Could provide it: ${named.join(', ')}${more}. Save them as CSV or Parquet with one row per sample, then describe them with \`assay map init FOLDER\``;
}

const rank = ({ modality }: StreamSummary): number => (modality === 'numeric' ? 0 : 1);
