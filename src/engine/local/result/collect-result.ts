import type { Incomplete, ReadinessSettings } from '#core/api';
import { type Finding, type PictureScope, picturesLeftOut } from '#core/episode';
import { bridgePlan } from '#formats/recipes';
import { loadsOf } from '#formats/rules';
import type { RenderedEpisode } from '#quality/report';
import { readLines, type SpoolRegion } from '../../spool/spool.ts';
import { settingsInEffect } from '../../steps/judge/settings-in-effect.ts';
import {
  type EpisodeVerdict,
  shapeOf,
  type VerdictFinding,
  type VerdictFlag,
  worstFirst,
} from '../../steps/judge/verdict.ts';
import type { SeenDatasets } from '../../steps/look/datasets.ts';
import { majority, totalKinds } from '../../steps/measure/kinds.ts';
import { unfinishedDataset } from '../../steps/measure/unfinished.ts';
import { below } from '../../steps/measure/unit-finding.ts';
import { SeenBreaches } from '../../steps/report/seen-breaches.ts';
import type { JudgedUnit, MeasuredUnit, StreamTotal } from '../../steps/tasks.ts';
import type { Dispatcher } from '../dispatcher.ts';
import type { Plan } from '../plan.ts';
import {
  type AssessmentResult,
  type DatasetSummary,
  type Decisions,
  type EmbeddedIn,
  summarise,
} from './result.ts';

interface Parts {
  readonly all: SeenDatasets;
  readonly plan: Plan;
  readonly dispatcher: Dispatcher;
  /** Findings of the comparisons, by dataset. */
  readonly compared: readonly (readonly Finding[])[];
  readonly judged: readonly JudgedUnit[];
  readonly verdicts: VerdictList;
  readonly settings: ReadinessSettings;
  readonly pictures: PictureScope | undefined;
}

/** Puts together what the units gave, in the order of datasets and episodes. */
export function collectResult(parts: Parts): Omit<AssessmentResult, 'close'> {
  const { decisions } = parts.verdicts;
  const verdicts = parts.verdicts.list();
  const datasets = parts.all.found.map((_, index) => summaryOf(parts, index, verdicts));
  const base = {
    datasets,
    findings: [...parts.all.findings, ...(parts.pictures === 'none' ? leftOut(datasets) : [])],
    verdicts,
    decisions,
    settings: settingsInEffect(parts.settings),
    unreadable: datasets.reduce((sum, dataset) => sum + dataset.unreadable, 0),
    incomplete: incompleteOf(parts),
  };
  return {
    ...base,
    embedded: embeddedOf(parts),
    receipts: () => linesOf(parts.judged.map(({ receipts }) => receipts)),
    pictures: parts.judged.reduce((sum, { pictures }) => sum + pictures, 0),
    rendered: () => renderedOf(parts.judged.map(({ rendered }) => rendered)),
    summary: () => summarise(base),
  };
}

function embeddedOf({ dispatcher }: Parts): EmbeddedIn[] {
  const units = [...dispatcher.measured.values()].sort((a, b) => a.place - b.place);
  return units.flatMap(({ dataset, embedded = [] }) => embedded.map((one) => ({ dataset, ...one })));
}

/** Said where there were pictures to be left out. */
function leftOut(datasets: readonly DatasetSummary[]): Finding[] {
  const streams = datasets.flatMap((dataset) => Object.values(dataset.streams));
  if (!streams.some(({ modality }) => modality === 'video' || modality === 'image')) return [];
  return [
    {
      code: 'pictures_left_out',
      severity: 'info',
      path: null,
      message: `${picturesLeftOut}: whether they decode, show something, stand still or are copies was not looked at`,
      advice: 'assess again without --pictures none before you train on them',
    },
  ];
}

function incompleteOf({ all, dispatcher }: Parts): Incomplete[] {
  const units = [...dispatcher.unfinished].sort((a, b) => a.task.place - b.task.place);
  return [
    ...all.unopened.map(unfinishedDataset),
    ...units.map(({ task, incomplete }) => {
      const { recognised } = all.found[task.dataset];
      return { ...incomplete, path: below(recognised.path, incomplete.path) };
    }),
  ];
}

function summaryOf(parts: Parts, index: number, verdicts: readonly EpisodeVerdict[]): DatasetSummary {
  const { dataset, recognised } = parts.all.found[index];
  const tasks = parts.plan.tasks.filter((task) => task.dataset === index);
  const units = tasks.flatMap(({ place }) => parts.dispatcher.measured.get(place) ?? []);
  const failed = parts.dispatcher.failed
    .filter(({ task }) => task.dataset === index)
    .sort((a, b) => a.task.place - b.task.place);
  const decisions: Decisions = { accept: 0, review: 0, reject: 0 };
  const seen = new SeenBreaches();
  for (const verdict of verdicts) {
    if (verdict.dataset !== index) continue;
    decisions[verdict.decision]++;
    seen.add(verdict.findings, verdict.flags);
  }
  const kinds = totalKinds(units.map((unit) => unit.kinds));
  const findings = eachOnce([
    ...dataset.findings,
    ...[...parts.compared[index], ...failed.map(({ finding }) => finding)].map((finding) => ({
      ...finding,
      path: below(recognised.path, finding.path),
    })),
    ...units.flatMap((unit) => unit.findings),
  ]);
  return {
    path: recognised.path === '' ? '.' : recognised.path,
    facts: dataset.facts,
    evidence: dataset.recognition.evidence,
    kind: majority(kinds),
    kinds,
    episodes: units.reduce((sum, unit) => sum + unit.episodes, 0),
    unreadable:
      units.reduce((sum, unit) => sum + unit.unreadable, 0) +
      failed.reduce((sum, { task }) => sum + Math.max(1, task.unit.expected_episodes), 0),
    decisions,
    loads: loadsOf(dataset.facts, seen.with(findings)),
    streams: totalStreams(units),
    bridged: bridgePlan(units.flatMap(({ chunks }) => chunks ?? [])),
    findings,
  };
}

/** What is seen on opening and again on reading is said once. */
function eachOnce(findings: readonly Finding[]): Finding[] {
  const seen = new Map<string, Finding>();
  for (const finding of findings) {
    const key = `${finding.code}\n${finding.path}\n${finding.message}`;
    if (!seen.has(key)) seen.set(key, finding);
  }
  return [...seen.values()];
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

function* linesOf(regions: readonly (SpoolRegion | null)[]): Generator<string> {
  for (const region of regions) if (region !== null) yield* readLines(region);
}

function* renderedOf(regions: readonly (SpoolRegion | null)[]): Generator<RenderedEpisode> {
  for (const line of linesOf(regions)) yield JSON.parse(line);
}

/**
 * Verdicts as units are judged, in any order. Words (messages, reasons) stay with the episodes of each dataset that
 * need looking at most, and with one episode of each sort; what the rest share is held once, so that 100,000 of them stay small.
 */
export class VerdictList {
  readonly decisions: Decisions = { accept: 0, review: 0, reject: 0 };
  readonly #details: number;
  readonly #byPlace = new Map<number, EpisodeVerdict[]>();
  readonly #worst = new Map<number, EpisodeVerdict[]>();
  /** By dataset and shape, of each the episode that needs looking at most. */
  readonly #examples = new Map<string, EpisodeVerdict>();
  readonly #shared = new Map<string, unknown>();
  /** Flags without their words, by the flags: a unit's verdicts share theirs. */
  readonly #bare = new WeakMap<readonly VerdictFlag[], readonly VerdictFlag[]>();

  constructor(details: number) {
    this.#details = details;
  }

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

  /** All of them, in the order of datasets and episodes. */
  list(): EpisodeVerdict[] {
    const places = [...this.#byPlace.keys()].sort((a, b) => a - b);
    const inWords = new Map<string, EpisodeVerdict>();
    for (const own of this.#worst.values()) {
      for (const verdict of own.sort(worstFirst).slice(0, this.#details))
        inWords.set(keyOf(verdict), verdict);
    }
    for (const verdict of this.#examples.values()) inWords.set(keyOf(verdict), verdict);
    const all: EpisodeVerdict[] = [];
    for (const place of places) {
      for (const verdict of this.#byPlace.get(place)!) all.push(inWords.get(keyOf(verdict)) ?? verdict);
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
    const key = `${verdict.dataset}\n${shapeOf(verdict)}`;
    const known = this.#examples.get(key);
    if (known === undefined ? this.#examples.size < mostExamples : worstFirst(verdict, known) < 0)
      this.#examples.set(key, verdict);
  }

  #withoutWords({ flags, findings, kind, decision, ...rest }: EpisodeVerdict): EpisodeVerdict {
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

const mostExamples = 1000;

const keyOf = ({ dataset, index, id }: EpisodeVerdict): string => `${dataset}/${index}/${id}`;

function withoutMessage(flag: VerdictFlag): VerdictFlag {
  return { ...flag, message: null };
}
