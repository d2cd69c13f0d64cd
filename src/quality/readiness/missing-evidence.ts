import type { Component } from '#core/api';
import type { CheckId } from './check.ts';
import { checks } from './check-registry.ts';

/** Fields of a stream that show whether it could provide missing evidence. */
export interface StreamSummary {
  readonly id: string;
  readonly role: string;
  readonly modality: string;
  readonly sample_count: number;
}

/** Last names of topics of the middleware itself, which hold no signals of a robot. */
const middlewareTopics: ReadonlySet<string> = new Set([
  ...['rosout', 'rosout_agg', 'parameter_events', 'parameter_descriptions', 'parameter_updates'],
  ...['tf_static', 'clock', 'bond', '_service_event'],
]);

/** Returns true for topics of the middleware itself, of actions, and of diagnostics or a status. */
function isInfrastructure(id: string): boolean {
  const [name, parent] = id.split('/').reverse();
  if (!/^\w+$/.test(name)) return false;
  return (
    parent === '_action' ||
    middlewareTopics.has(name) ||
    name.startsWith('diagnostics') ||
    name.includes('status')
  );
}

const minSamples = 3;
const maxNamed = 5;

/**
 * Returns the streams that no check evaluates and that could hold states, actions or sensors: numbers without a role,
 * and contents that were not decoded, such as the pickles of BridgeData V2. Infrastructure topics, and short streams
 * without a role, are left out.
 */
export function selectUnusedStreams<Own extends StreamSummary>(streams: readonly Own[]): Own[] {
  return streams.filter(
    ({ id, role, modality, sample_count }) =>
      !isInfrastructure(id) &&
      (role === 'other'
        ? (modality === 'numeric' || modality === 'opaque') && sample_count >= minSamples
        : modality === 'opaque'),
  );
}

/** Start of the part of a decision's reason that describes missing evidence. */
export const missingEvidenceStart = '; missing: ';

/** Checks that a mapped stream of states, actions or sensors could let run. */
const signalChecks: ReadonlySet<string> = new Set<CheckId>([
  'timeline_integrity',
  'signal_sync',
  'kinematic_sanity',
  'action_state_agreement',
  'gripper_activity',
  'gripper_consistency',
]);

/**
 * Explains in words what the checks that could not run need; returns an empty text if every check could run. If they
 * need states, actions or sensors, it also names topics or arrays that could provide them, and how to map them.
 */
export function explainMissingEvidence(
  components: readonly Component[],
  streams: readonly StreamSummary[],
): string {
  const ids = new Set(components.filter(({ status }) => status === 'not_assessable').map(({ id }) => id));
  const needs = checks.rows.filter(({ id }) => ids.has(id)).map((check) => check.needs.split(';')[0]);
  if (needs.length === 0) return '';
  const lacksSignals = [...ids].some((id) => signalChecks.has(id));
  const sources = lacksSignals ? `. ${describeSources(selectUnusedStreams(streams))}` : '';
  return `${missingEvidenceStart}${[...new Set(needs)].join('; ')}${sources}`;
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
  return `These could provide it: ${named.join(', ')}${more}. Assign roles to topics with \`assay map init FOLDER\`; export data that cannot be decoded as HDF5, NPZ, JSON, CSV or Parquet with one row per sample, and map that file in the same way`;
}

const rank = ({ modality }: StreamSummary): number => (modality === 'numeric' ? 0 : 1);
