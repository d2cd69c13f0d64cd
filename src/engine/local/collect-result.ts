import type { Incomplete, ReadinessSettings } from '#core/api';
import { type Finding, type PictureScope, picturesSkippedReason } from '#core/episode';
import { planBridges } from '#formats/recipes';
import { applySeverities, listRefusals, loaderSeverities } from '#formats/rules';
import { combineSetVerdicts } from '#quality/readiness';
import type { RenderedEpisode } from '#quality/report';
import { readLines, type SpoolRegion } from '../spool.ts';
import type { DatasetInfos } from '../steps/find-datasets.ts';
import { createTally, judgeDataset, settingsInEffect } from '../steps/judge/dataset-verdict.ts';
import {
  type EpisodeVerdict,
  type VerdictFinding,
  type VerdictFlag,
  verdictPattern,
  worstFirst,
} from '../steps/judge/verdict.ts';
import { majorityKind, sumKinds } from '../steps/measure/kinds.ts';
import { prefixPath, unfinishedDataset } from '../steps/measure/unit-faults.ts';
import type { JudgedUnit, MeasuredUnit, StreamTotal } from '../steps/tasks.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Plan } from './plan.ts';
import {
  type AssessmentResult,
  type DatasetSummary,
  type Decisions,
  type EmbeddedIn,
  summarise,
} from './result.ts';

interface ResultParts {
  readonly all: DatasetInfos;
  readonly plan: Plan;
  readonly dispatcher: Dispatcher;
  /** Findings of the comparisons, per dataset. */
  readonly compared: readonly (readonly Finding[])[];
  readonly judged: readonly JudgedUnit[];
  readonly verdicts: VerdictList;
  readonly settings: ReadinessSettings;
  readonly pictures: PictureScope | undefined;
}

/** Combines the results of all units, in the order of datasets and episodes. Receipts and drawing data are read when iterated. */
export function collectResult(parts: ResultParts): Omit<AssessmentResult, 'close'> {
  const { decisions } = parts.verdicts;
  const verdicts = parts.verdicts.list();
  const datasets = parts.all.found.map((_, index) => summariseDataset(parts, index, verdicts));
  const base = {
    datasets,
    usability: combineSetVerdicts(
      datasets.map(({ usability }) => usability),
      parts.all.findings,
    ),
    findings: [
      ...parts.all.findings,
      ...(parts.pictures === 'none' ? picturesLeftOutFindings(datasets) : []),
    ],
    verdicts,
    decisions,
    settings: settingsInEffect(parts.settings),
    unreadable: datasets.reduce((sum, dataset) => sum + dataset.unreadable, 0),
    incomplete: collectIncomplete(parts),
  };
  return {
    ...base,
    embedded: collectEmbedded(parts),
    receipts: () => readAllLines(parts.judged.map(({ receipts }) => receipts)),
    pictures: parts.judged.reduce((sum, { pictures }) => sum + pictures, 0),
    rendered: () => parseRendered(parts.judged.map(({ rendered }) => rendered)),
    summary: () => summarise(base),
  };
}

function collectEmbedded({ dispatcher }: ResultParts): EmbeddedIn[] {
  const units = [...dispatcher.measured.values()].sort((a, b) => a.place - b.place);
  return units.flatMap(({ dataset, embedded = [] }) => embedded.map((one) => ({ dataset, ...one })));
}

/** Returns an info finding if pictures were left out. */
function picturesLeftOutFindings(datasets: readonly DatasetSummary[]): Finding[] {
  const streams = datasets.flatMap((dataset) => Object.values(dataset.streams));
  if (!streams.some(({ modality }) => modality === 'video' || modality === 'image')) return [];
  return [
    {
      code: 'pictures_left_out',
      severity: 'info',
      path: null,
      message: `${picturesSkippedReason}: corrupt, black, frozen and duplicate images were not checked`,
      advice: 'assess again without --pictures none before training',
    },
  ];
}

function collectIncomplete({ all, dispatcher }: ResultParts): Incomplete[] {
  const units = [...dispatcher.unfinished].sort((a, b) => a.task.place - b.task.place);
  return [
    ...all.unopened.map(unfinishedDataset),
    ...units.map(({ task, incomplete }) => {
      const { recognised } = all.found[task.dataset];
      return { ...incomplete, path: prefixPath(recognised.path, incomplete.path) };
    }),
  ];
}

function summariseDataset(
  parts: ResultParts,
  index: number,
  verdicts: readonly EpisodeVerdict[],
): DatasetSummary {
  const { dataset, recognised } = parts.all.found[index];
  const tasks = parts.plan.tasks.filter((task) => task.dataset === index);
  const units = tasks.flatMap(({ place }) => parts.dispatcher.measured.get(place) ?? []);
  const failed = parts.dispatcher.failed
    .filter(({ task }) => task.dataset === index)
    .sort((a, b) => a.task.place - b.task.place);
  const decisions: Decisions = { accept: 0, review: 0, reject: 0 };
  const tally = createTally(dataset.facts.format);
  for (const verdict of verdicts) {
    if (verdict.dataset !== index) continue;
    decisions[verdict.decision]++;
    const { info_codes = [] } = verdict;
    const findings = [...verdict.findings, ...info_codes.map((code) => ({ code, severity: 'info' }))];
    tally.add({ ...verdict, findings });
  }
  const kinds = sumKinds(units.map((unit) => unit.kinds));
  const { facts } = dataset;
  const found = deduplicate([
    ...listRefusals(facts, parts.settings.loaders),
    ...dataset.findings,
    ...[...parts.compared[index], ...failed.map(({ finding }) => finding)].map((finding) => ({
      ...finding,
      path: prefixPath(recognised.path, finding.path),
    })),
    ...units.flatMap((unit) => unit.findings),
  ]);
  const findings = applySeverities(found, loaderSeverities(facts, parts.settings.loaders));
  const unreadable =
    units.reduce((sum, unit) => sum + unit.unreadable, 0) +
    failed.reduce((sum, { task }) => sum + Math.max(1, task.unit.expected_episodes), 0);
  return {
    path: recognised.path === '' ? '.' : recognised.path,
    facts,
    evidence: dataset.recognition.evidence,
    kind: majorityKind(kinds),
    kinds,
    episodes: units.reduce((sum, unit) => sum + unit.episodes, 0),
    unreadable,
    decisions,
    ...judgeDataset(facts, { counts: tally.counts, findings, unreadable }, parts.settings.loaders),
    streams: totalStreams(units),
    bridged: planBridges(units.flatMap(({ chunks }) => chunks ?? [])),
    findings,
  };
}

/** Returns the findings without duplicates, such as those found both on opening and on reading. */
function deduplicate(findings: readonly Finding[]): Finding[] {
  const byKey = new Map<string, Finding>();
  for (const finding of findings) {
    const key = `${finding.code}\n${finding.path}\n${finding.message}`;
    if (!byKey.has(key)) byKey.set(key, finding);
  }
  return [...byKey.values()];
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

function* readAllLines(regions: readonly (SpoolRegion | null)[]): Generator<string> {
  for (const region of regions) if (region !== null) yield* readLines(region);
}

function* parseRendered(regions: readonly (SpoolRegion | null)[]): Generator<RenderedEpisode> {
  for (const line of readAllLines(regions)) yield JSON.parse(line);
}

/**
 * Collects verdicts as units are judged, in any order. Messages and reasons are kept only for the worst episodes of
 * each dataset and for one example of each pattern; the rest shares objects, so that 100,000 verdicts stay small.
 */
export class VerdictList {
  readonly decisions: Decisions = { accept: 0, review: 0, reject: 0 };
  readonly #details: number;
  readonly #byPlace = new Map<number, EpisodeVerdict[]>();
  readonly #worst = new Map<number, EpisodeVerdict[]>();
  /** Per dataset and pattern: the worst episode. */
  readonly #examples = new Map<string, EpisodeVerdict>();
  readonly #shared = new Map<string, unknown>();
  /** Flags without messages, by flags: the verdicts of a unit share theirs. */
  readonly #bare = new WeakMap<readonly VerdictFlag[], readonly VerdictFlag[]>();

  constructor(details: number) {
    this.#details = details;
  }

  /** Adds the verdicts of a unit; those of the same unit replace earlier ones. */
  add({ place, verdicts }: JudgedUnit): void {
    const own: EpisodeVerdict[] = [];
    for (const verdict of verdicts) {
      this.decisions[verdict.decision]++;
      this.#keepWorst(verdict);
      this.#keepExample(verdict);
      own.push(this.#withoutWords(verdict));
    }
    this.#byPlace.set(place, own);
  }

  /** Returns all verdicts, in the order of datasets and episodes, with messages for the worst and the example ones only. */
  list(): EpisodeVerdict[] {
    const places = [...this.#byPlace.keys()].sort((a, b) => a - b);
    const inWords = new Map<string, EpisodeVerdict>();
    for (const own of this.#worst.values()) {
      for (const verdict of own.sort(worstFirst).slice(0, this.#details))
        inWords.set(verdictKey(verdict), verdict);
    }
    for (const verdict of this.#examples.values()) inWords.set(verdictKey(verdict), verdict);
    const all: EpisodeVerdict[] = [];
    for (const place of places) {
      for (const verdict of this.#byPlace.get(place)!) all.push(inWords.get(verdictKey(verdict)) ?? verdict);
    }
    return all.sort((a, b) => a.dataset - b.dataset || a.index - b.index);
  }

  #keepWorst(verdict: EpisodeVerdict): void {
    const own = this.#worst.get(verdict.dataset);
    if (own === undefined) this.#worst.set(verdict.dataset, [verdict]);
    else {
      own.push(verdict);
      if (own.length > this.#details * 2 + 100) own.sort(worstFirst).splice(this.#details);
    }
  }

  #keepExample(verdict: EpisodeVerdict): void {
    if (verdict.flags.length + verdict.findings.length === 0) return;
    const key = `${verdict.dataset}\n${verdictPattern(verdict)}`;
    const example = this.#examples.get(key);
    if (example === undefined ? this.#examples.size < maxExamples : worstFirst(verdict, example) < 0)
      this.#examples.set(key, verdict);
  }

  #withoutWords({ flags, findings, info_codes, kind, decision, ...rest }: EpisodeVerdict): EpisodeVerdict {
    return {
      dataset: rest.dataset,
      index: rest.index,
      id: rest.id,
      kind: this.#share(kind, () => kind),
      decision: this.#share(decision, () => decision),
      score: rest.score,
      graded_fraction: rest.graded_fraction,
      duration_s: rest.duration_s,
      flags: this.#bareOf(flags),
      findings: this.#bareFindings(findings),
      ...(info_codes === undefined
        ? {}
        : { info_codes: this.#share(`info ${info_codes.join()}`, () => info_codes) }),
      reason: null,
      receipt: rest.receipt,
    };
  }

  #bareOf(flags: readonly VerdictFlag[]): readonly VerdictFlag[] {
    let bare = this.#bare.get(flags);
    if (bare === undefined) {
      const key = flags.map(({ code, check }) => `${check}/${code}`).join();
      bare = this.#share(key, () => flags.map(withoutMessage));
      this.#bare.set(flags, bare);
    }
    return bare;
  }

  #bareFindings(findings: readonly VerdictFinding[]): readonly VerdictFinding[] {
    const key = findings.map(({ code, severity, advice }) => `${severity} ${code} ${advice}`).join();
    return this.#share(key, () => findings.map((finding) => ({ ...finding, message: null })));
  }

  #share<T>(key: string, make: () => T): T {
    let shared = this.#shared.get(key) as T | undefined;
    if (shared === undefined) {
      shared = make();
      this.#shared.set(key, shared);
    }
    return shared;
  }
}

const maxExamples = 1000;

const verdictKey = ({ dataset, index, id }: EpisodeVerdict): string => `${dataset}/${index}/${id}`;

function withoutMessage(flag: VerdictFlag): VerdictFlag {
  return { ...flag, message: null };
}
