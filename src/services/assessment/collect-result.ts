import type { Finding, Kind } from '#episode';
import type { RenderedEpisode } from '#report';
import type { Crew } from './crew.ts';
import type { FoundDatasets } from './datasets.ts';
import type { JudgedUnit, MeasuredUnit, StreamTotal } from './messages.ts';
import type { AssessOptions } from './options.ts';
import type { Plan } from './plan.ts';
import { type AssessmentResult, type DatasetSummary, type Decisions, summarise } from './result.ts';
import { readLines, type Segment } from './spool.ts';
import { type EpisodeVerdict, worstFirst } from './verdict.ts';

interface Parts {
  readonly all: FoundDatasets;
  readonly plan: Plan;
  readonly crew: Crew;
  /** Findings of the comparisons, by dataset. */
  readonly compared: readonly (readonly Finding[])[];
  readonly judged: readonly JudgedUnit[];
  readonly options: AssessOptions;
}

/** Puts together what the units gave, in the order of datasets and episodes. */
export function collectResult(parts: Parts): Omit<AssessmentResult, 'close'> {
  const verdicts = readVerdicts(parts.judged, parts.options.details ?? 20);
  const datasets = parts.all.found.map((_, index) => summaryOf(parts, index, verdicts));
  const decisions: Decisions = { accept: 0, review: 0, reject: 0 };
  for (const verdict of verdicts) decisions[verdict.decision]++;
  const base = {
    datasets,
    findings: parts.all.findings,
    verdicts,
    decisions,
    unreadable: datasets.reduce((sum, dataset) => sum + dataset.unreadable, 0),
  };
  return {
    ...base,
    receipts: () => linesOf(parts.judged.map(({ receipts }) => receipts)),
    rendered: () => renderedOf(parts.judged.map(({ rendered }) => rendered)),
    summary: () => summarise(base),
  };
}

/** All verdicts in order; words stay with the `details` of each dataset that need looking at most. */
function readVerdicts(judged: readonly JudgedUnit[], details: number): EpisodeVerdict[] {
  const verdicts: EpisodeVerdict[] = [];
  const worst = new Map<number, EpisodeVerdict[]>();
  for (const unit of judged) {
    const { buffer, byteOffset, byteLength } = unit.verdicts;
    if (byteLength === 0) continue;
    for (const line of Buffer.from(buffer, byteOffset, byteLength).toString().split('\n')) {
      const verdict: EpisodeVerdict = JSON.parse(line);
      keepWorst(worst, verdict, details);
      verdicts.push(withoutWords(verdict));
    }
  }
  const inWords = new Map([...worst.values()].flat().map((verdict) => [keyOf(verdict), verdict]));
  return verdicts
    .map((verdict) => inWords.get(keyOf(verdict)) ?? verdict)
    .sort((a, b) => a.dataset - b.dataset || a.index - b.index);
}

function keepWorst(worst: Map<number, EpisodeVerdict[]>, verdict: EpisodeVerdict, details: number): void {
  const own = worst.get(verdict.dataset);
  if (own === undefined) worst.set(verdict.dataset, [verdict]);
  else {
    own.push(verdict);
    if (own.length > details * 2 + 100) own.sort(worstFirst).splice(details);
  }
}

const keyOf = ({ dataset, id }: EpisodeVerdict): string => `${dataset}/${id}`;

function withoutWords(verdict: EpisodeVerdict): EpisodeVerdict {
  const flags =
    verdict.flags.length === 0 ? noFlags : verdict.flags.map((flag) => ({ ...flag, message: null }));
  return { ...verdict, flags, reason: null };
}

const noFlags: EpisodeVerdict['flags'] = [];

function summaryOf(parts: Parts, index: number, verdicts: readonly EpisodeVerdict[]): DatasetSummary {
  const { dataset, claim } = parts.all.found[index];
  const tasks = parts.plan.tasks.filter((task) => task.dataset === index);
  const units = tasks.flatMap(({ place }) => parts.crew.measured.get(place) ?? []);
  const failed = parts.crew.failed.filter(({ task }) => task.dataset === index);
  const decisions: Decisions = { accept: 0, review: 0, reject: 0 };
  for (const verdict of verdicts) if (verdict.dataset === index) decisions[verdict.decision]++;
  const kinds = totalKinds(units);
  const findings = [
    ...dataset.findings,
    ...[...parts.compared[index], ...failed.map(({ finding }) => finding)].map((finding) => ({
      ...finding,
      path: below(claim.path, finding.path),
    })),
    ...units.flatMap((unit) => unit.findings),
  ];
  return {
    path: claim.path === '' ? '.' : claim.path,
    facts: dataset.facts,
    evidence: dataset.recognition.evidence,
    kind: majority(kinds),
    kinds,
    episodes: units.reduce((sum, unit) => sum + unit.episodes, 0),
    unreadable:
      units.reduce((sum, unit) => sum + unit.unreadable, 0) +
      failed.reduce((sum, { task }) => sum + Math.max(1, task.unit.expected_episodes), 0),
    decisions,
    streams: totalStreams(units),
    findings,
  };
}

/** A dataset's path as seen from the path assessed. */
function below(folder: string, path: string | null): string | null {
  return folder === '' ? path : path === null ? folder : `${folder}/${path}`;
}

function totalKinds(units: readonly MeasuredUnit[]): Partial<Record<Kind, number>> {
  const kinds: Partial<Record<Kind, number>> = {};
  for (const unit of units) {
    for (const [kind, count] of Object.entries(unit.kinds)) {
      kinds[kind as Kind] = (kinds[kind as Kind] ?? 0) + count;
    }
  }
  return kinds;
}

/** Most episodes' kind; of equal counts the first by name, so that order of work does not matter. */
function majority(kinds: Readonly<Partial<Record<Kind, number>>>): Kind | null {
  const sorted = Object.entries(kinds).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return sorted.length === 0 ? null : (sorted[0][0] as Kind);
}

function totalStreams(units: readonly MeasuredUnit[]): Record<string, StreamTotal> {
  const streams: Record<string, StreamTotal> = {};
  for (const unit of units) {
    for (const [id, { role, modality, samples, episodes }] of Object.entries(unit.streams)) {
      streams[id] ??= { role, modality, samples: 0, episodes: 0 };
      streams[id].samples += samples;
      streams[id].episodes += episodes;
    }
  }
  return streams;
}

function* linesOf(segments: readonly (Segment | null)[]): Generator<string> {
  for (const segment of segments) if (segment !== null) yield* readLines(segment);
}

function* renderedOf(segments: readonly (Segment | null)[]): Generator<RenderedEpisode> {
  for (const line of linesOf(segments)) yield JSON.parse(line);
}
