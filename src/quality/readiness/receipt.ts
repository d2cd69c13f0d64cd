import { canonicalJson, sha256, significant } from '#core';
import type { Receipt } from '#core/api';
import type { Episode, EpisodeCut, Stream } from '#core/episode';
import type { Subject } from './check.ts';
import { measuredFacts } from './facts/measured-facts.ts';
import { limitsOf } from './limits.ts';

/** A receipt before it is sealed. */
export type ReceiptBody = Omit<Receipt, 'content_hash'>;

/** What a receipt says of the episode itself, without checks: plain JSON, kept between measuring and judging. */
export type EpisodeRecord = Pick<
  ReceiptBody,
  'episode' | 'facts' | 'findings' | 'grippers' | 'kind' | 'limits' | 'pictures' | 'sources' | 'streams'
>;

/** The little of a record that a table names an episode by. */
export interface EpisodeBrief {
  readonly episode: Pick<EpisodeRecord['episode'], 'id' | 'index' | 'duration_s'>;
  readonly kind: Pick<EpisodeRecord['kind'], 'kind'>;
  /** What its reader found wrong with it. */
  readonly findings: readonly Pick<
    EpisodeRecord['findings'][number],
    'code' | 'severity' | 'message' | 'advice'
  >[];
}

/** Keeps of an episode what a table needs, where no receipt will be made. */
export function briefOf({ episode, kind }: Subject): EpisodeBrief {
  const { id, index, duration_s } = episode;
  const findings = episode.findings.map(({ code, severity, message, advice }) => ({
    ...{ code, severity, message, advice },
  }));
  return { episode: { id, index, duration_s: significant(duration_s, 9) }, kind: { kind }, findings };
}

/** Keeps of an episode what its receipt needs; the arrays may go afterwards. */
export function recordOf(subject: Subject, kindEvidence: readonly string[]): EpisodeRecord {
  const { episode } = subject;
  return {
    episode: episodeFacts(episode),
    facts: measuredFacts(subject),
    findings: episode.findings.map(({ advice, code, evidence, message, path, severity }) =>
      evidence === undefined
        ? { advice, code, message, path, severity }
        : { advice, code, evidence, message, path, severity },
    ),
    grippers: episode.grippers.map((gripper) => ({
      dimension: gripper.dimension,
      evidence: gripper.evidence,
      name: gripper.name,
      open_value: gripper.open_value,
      range_observed: [significant(gripper.range_observed[0]), significant(gripper.range_observed[1])],
      reason: gripper.reason,
      stream: gripper.stream,
      unit: gripper.unit,
    })),
    kind: { evidence: [...kindEvidence], kind: subject.kind },
    limits: limitsOf(subject),
    ...picturesOf(subject),
    sources: episode.sources.map(({ bytes, path, role, sha256 }) => ({ bytes, path, role, sha256 })),
    streams: episode.streams.map((stream) => streamFacts(stream, subject)),
  };
}

/** Said where it is not as usual. */
function picturesOf({ pictures = 'sampled' }: Subject): Pick<EpisodeRecord, 'pictures'> {
  return pictures === 'sampled' ? {} : { pictures };
}

function cutFacts({ recipe, ...cut }: EpisodeCut): NonNullable<EpisodeRecord['episode']['cut']> {
  return { ...cut, recipe, recipe_hash: recipe === null ? null : sha256(canonicalJson(recipe)) };
}

function rateFacts({ hz, source, used }: NonNullable<Episode['declared_rate']>) {
  return { hz: significant(hz), source, used };
}

function episodeFacts(episode: Episode): EpisodeRecord['episode'] {
  const { format, path, span } = episode.locator;
  return {
    ...(episode.cut === undefined ? {} : { cut: cutFacts(episode.cut) }),
    ...(episode.declared_rate === undefined ? {} : { declared_rate: rateFacts(episode.declared_rate) }),
    duration_s: significant(episode.duration_s, 9),
    id: episode.id,
    index: episode.index,
    locator:
      span === undefined
        ? { format, path }
        : { format, path, span: { from: span.from, to: span.to, unit: span.unit } },
    outcome: {
      evidence: episode.outcome.evidence,
      reason: episode.outcome.reason,
      value: episode.outcome.value,
    },
    robot: episode.robot,
    ...(episode.split === undefined ? {} : { split: episode.split }),
    start_ns: episode.start_ns,
    tasks: episode.tasks === null ? null : episode.tasks.map((task) => task.text),
  };
}

function streamFacts(stream: Stream, subject: Subject): EpisodeRecord['streams'][number] {
  return {
    clock: clockFacts(stream),
    declared_rate_hz: stream.declared_rate_hz === null ? null : significant(stream.declared_rate_hz),
    ...(stream.event_driven === undefined ? {} : { event_driven: stream.event_driven }),
    id: stream.id,
    measured_rate_hz: measuredRate(stream, subject),
    modality: stream.modality,
    role: stream.role,
    sample_count: stream.sample_count,
    shape: [...stream.shape],
    unit: { evidence: stream.unit.evidence, reason: stream.unit.reason, unit: stream.unit.unit },
  };
}

function clockFacts(stream: Stream): EpisodeRecord['streams'][number]['clock'] {
  const choice = stream.clock;
  if (choice === null) return null;
  const chosen = stream.clocks[choice.index];
  return {
    name: chosen.name,
    others: stream.clocks.filter((_, i) => i !== choice.index).map((clock) => clock.name),
    provenance: chosen.provenance,
    reason: choice.reason,
  };
}

/** 1 / median step of the chosen clock; for a video without one, what the container's stamps say. */
function measuredRate(stream: Stream, { features, cameras }: Subject): number | null {
  const step_s = features.clock(stream)?.median_step_s ?? 0;
  if (step_s > 0) return significant(1 / step_s);
  const rate_hz = cameras.get(stream.id)?.container?.rate_hz;
  return rate_hz == null ? null : significant(rate_hz);
}

/**
 * Seals a receipt: its canonical JSON (RFC 8785), with `content_hash` the SHA-256 of the canonical JSON of everything
 * else. `json` is what is written to disk.
 */
export function sealReceipt(body: ReceiptBody): { readonly receipt: Receipt; readonly json: string } {
  try {
    return sealed(body);
  } catch {
    // Text of a recording may hold half a surrogate pair, which no JSON can carry; it reads as U+FFFD then.
    return sealed(repaired(body));
  }
}

function sealed(body: ReceiptBody): { readonly receipt: Receipt; readonly json: string } {
  const { before, after } = aroundHash(body);
  const content_hash = sha256(`${before},${after}`);
  return {
    receipt: { ...body, content_hash },
    json: `${before},"content_hash":"${content_hash}",${after}`,
  };
}

function repaired(body: ReceiptBody): ReceiptBody {
  return JSON.parse(JSON.stringify(body), (_, value) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
}

/** The canonical text up to where `content_hash` belongs, and from there on. */
function aroundHash({ canonicalisation, checks, ...rest }: ReceiptBody): { before: string; after: string } {
  return {
    before: canonicalJson({ canonicalisation, checks }).slice(0, -1),
    after: canonicalJson(rest).slice(1),
  };
}
