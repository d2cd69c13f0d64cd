import { AssayError } from '#core';
import type { Episode, Finding } from '#core/episode';
import { openSourceTree, type RecordingsSource, type SourceTree } from '#io/sources';
import type { Dataset, Unreadable } from '../shared/reader.ts';
import { findTables } from './find-tables.ts';
import { type Mapping, parseMapping } from './mapping.ts';
import { mappingFiles } from './mapping-files.ts';
import { loadMapping, openWithMapping, type UsedMapping } from './open.ts';
import { openTable } from './open-table.ts';
import { matchPreset } from './presets/index.ts';
import { type ClockCheck, ClockFacts, type SignalCheck, SignalFacts } from './signal-facts.ts';

/** Result of reading all recordings by a mapping. */
export interface MappingCheck {
  /** Path of the mapping file, or name of the built-in mapping. */
  readonly mapping: string;
  /** True if nothing that the mapping names is absent, unreadable or unusable. */
  readonly ok: boolean;
  readonly recordings: number;
  readonly episodes: number;
  readonly unreadable: number;
  readonly rows: number;
  readonly streams: readonly SignalCheck[];
  readonly cameras: readonly SignalCheck[];
  readonly clocks: readonly ClockCheck[];
  /** Episodes with a task text; `null` if the mapping declares none. */
  readonly tasks: number | null;
  /** Episodes with a known outcome; `null` if the mapping declares none. */
  readonly outcomes: number | null;
  /** Columns of the first readable recording that the mapping does not use. */
  readonly unused: readonly string[];
  readonly findings: readonly Finding[];
}

/** Options of `checkMapping`. */
export interface CheckOptions {
  /** Mapping file that is used instead of the folder's own. */
  readonly mapping?: { readonly path: string; readonly text: string };
  readonly signal?: AbortSignal;
  /** Receives the number of recordings that were read. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Reads every recording of a folder by its mapping, all rows but no pictures, and returns what each setting found;
 * throws `not_found` without a mapping, `unreadable_input` if it is invalid or matches no recording.
 */
export async function checkMapping(source: RecordingsSource, options: CheckOptions): Promise<MappingCheck> {
  const tree = await openSourceTree(source);
  const used = await chooseMapping(tree, options.mapping);
  const recognition = { format: 'mapped', evidence: [], files: null };
  const dataset = await openWithMapping(tree, recognition, used, true);
  try {
    const facts = await readFacts(dataset, options);
    const { rate_hz } = used.mapping;
    const findings = [
      ...facts.findings,
      ...crossEpisodeFindings(facts, typeof rate_hz === 'number' ? rate_hz : null),
    ];
    const { files } = await findTables(tree, used.mapping, used.mapping_path);
    return {
      mapping: used.mapping_path,
      ok: !findings.some(({ severity }) => severity === 'error' || severity === 'blocking'),
      recordings: files.length,
      episodes: facts.episodes.size,
      unreadable: facts.unreadable,
      rows: facts.rows,
      ...signalsOf(facts, used.mapping),
      clocks: [...facts.clocks].map(([name, clock]) => clock.result(name)),
      tasks: used.mapping.task === undefined ? null : facts.tasks.size,
      outcomes: used.mapping.outcome === undefined ? null : facts.outcomes.size,
      unused: await listUnused(tree, used),
      findings,
    };
  } finally {
    await dataset.close();
  }
}

async function chooseMapping(tree: SourceTree, own: CheckOptions['mapping']): Promise<UsedMapping> {
  if (own !== undefined)
    return {
      mapping: parseMapping(own.text, own.path),
      mapping_path: own.path,
      preset: null,
      findings: [],
    };
  if (mappingFiles.some((name) => tree.has(name)) || (await matchPreset(tree)) !== null)
    return loadMapping(tree);
  throw new AssayError('not_found', `${tree.label} has no mapping file ${mappingFiles[0]}`, {
    path: tree.label,
    advice: 'create one with assay map init, or pass it with --mapping FILE',
  });
}

/** Facts about the episodes that were read. */
export interface ReadFacts {
  readonly episodes: Set<string>;
  readonly tasks: Set<string>;
  readonly outcomes: Set<string>;
  readonly signals: Map<string, SignalFacts>;
  readonly clocks: Map<string, ClockFacts>;
  readonly findings: Finding[];
  /** Number of findings of each code, of which only the first ones are stored. */
  readonly counts: Map<string, number>;
  rows: number;
  unreadable: number;
}

/** Maximum number of findings of each code, so that a mistake in a mapping of 100,000 files takes little memory. */
const maxFindings = 1000;

function addFindings({ findings, counts }: ReadFacts, added: readonly Finding[]): void {
  for (const finding of added) {
    const count = (counts.get(finding.code) ?? 0) + 1;
    counts.set(finding.code, count);
    if (count <= maxFindings) findings.push(finding);
  }
}

/**
 * Reads all episodes of a dataset and counts their rows, units, rates, clock errors and texts, by stream; episodes that
 * cannot be read are counted.
 * @param only ids of the streams that count; `null` for all, which share the clocks of the first one
 */
export async function readFacts(
  dataset: Dataset,
  { signal, onProgress }: CheckOptions,
  only: ReadonlySet<string> | null = null,
): Promise<ReadFacts> {
  const facts: ReadFacts = {
    ...{ episodes: new Set(), tasks: new Set(), outcomes: new Set() },
    ...{ signals: new Map(), clocks: new Map(), counts: new Map() },
    ...{ findings: [...dataset.findings], rows: 0, unreadable: 0 },
  };
  const total = dataset.units.reduce((sum, { expected_episodes }) => sum + expected_episodes, 0);
  const options = {
    hashes: false,
    copies: false,
    reuse_arrays: true,
    ...(signal === undefined ? {} : { signal }),
  };
  for (const unit of dataset.units) {
    for await (const item of dataset.read(unit, options)) addEpisode(facts, item, only);
    onProgress?.(unit.first_index + unit.expected_episodes, total);
  }
  return facts;
}

function addEpisode(facts: ReadFacts, item: Episode | Unreadable, only: ReadonlySet<string> | null): void {
  if ('unreadable' in item) {
    facts.unreadable++;
    addFindings(facts, [item.finding]);
    return;
  }
  const episode = item.cut?.recording ?? item.id;
  facts.episodes.add(episode);
  const { path } = item.locator;
  addFindings(
    facts,
    item.findings.map((finding) => ({ ...finding, path: finding.path ?? path })),
  );
  if ((item.tasks ?? []).some(({ text }) => text !== '')) facts.tasks.add(episode);
  if (item.outcome.value !== 'unknown') facts.outcomes.add(episode);
  const streams = item.streams.filter(({ id }) => only === null || only.has(id.replace(/@\d+$/, '')));
  facts.rows += Math.max(0, ...streams.filter(isTabular).map(({ sample_count }) => sample_count));
  for (const stream of streams) {
    if (stream.frames?.locator.type === 'missing') continue;
    setDefault(facts.signals, stream.id, () => new SignalFacts()).add(stream, episode);
  }
  // All streams of a table share the clocks of its rows.
  const clocked =
    only !== null ? streams : streams.slice(Math.max(0, streams.findIndex(isTabular))).slice(0, 1);
  for (const clock of clocked.flatMap(({ clocks }) => clocks))
    setDefault(facts.clocks, clock.name, () => new ClockFacts()).add(clock, episode);
}

const isTabular = ({ modality }: Episode['streams'][number]): boolean => modality === 'numeric';

function setDefault<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const value = create();
  map.set(key, value);
  return value;
}

function signalsOf(
  { signals }: ReadFacts,
  { streams, videos }: Mapping,
): Pick<MappingCheck, 'streams' | 'cameras'> {
  const resultOf = (id: string) => (signals.get(id) ?? new SignalFacts()).result();
  return {
    streams: streams.map(({ id, role, columns, optional, unit }) => ({
      ...{ id, role, source: columns, is_optional: optional === true },
      ...resultOf(id),
      unit: unit ?? null,
    })),
    cameras: videos.map((video) => ({
      ...{ id: video.id, role: video.role, source: ['column' in video ? video.column : video.files] },
      is_optional: 'column' in video && video.optional === true,
      ...resultOf(video.id),
    })),
  };
}

/** Largest ratio of a measured to the declared rate that counts as the same. */
const maxRateRatio = 1.1;

/**
 * Returns findings that need all episodes: clocks that go backwards or lack times, streams of different shapes, a
 * measured rate far from the declared one.
 */
export function crossEpisodeFindings({ signals, clocks }: ReadFacts, declared_hz: number | null): Finding[] {
  const findings: Finding[] = [];
  for (const [name, facts] of clocks) {
    const { not_increasing, episodes_not_increasing, missing, rate_hz } = facts.result(name);
    if (not_increasing > 0) findings.push(clockFinding(name, not_increasing, episodes_not_increasing));
    if (missing > 0) findings.push(stampsMissingFinding(name, missing));
    const measured = rate_hz?.median ?? null;
    if (declared_hz === null || measured === null) continue;
    if (Math.max(declared_hz / measured, measured / declared_hz) > maxRateRatio)
      findings.push(rateFinding(name, declared_hz, measured));
  }
  for (const [id, facts] of signals) {
    const { shapes } = facts.result();
    if (shapes.length > 1) findings.push(shapesFinding(id, shapes));
  }
  return findings;
}

function clockFinding(name: string, stamps: number, episodes: number): Finding {
  return {
    code: 'clock_not_increasing',
    severity: 'error',
    path: null,
    message: `the clock ${name} does not increase at ${stamps} rows of ${episodes} episodes`,
    advice:
      'choose another column as the clock, or correct its unit; row counters and dates without fractions of a second repeat',
    evidence: { rows: stamps, episodes },
  };
}

function stampsMissingFinding(name: string, missing: number): Finding {
  return {
    code: 'stamps_missing',
    severity: 'warning',
    path: null,
    message: `the clock ${name} has no valid time in ${missing} rows`,
    advice: 'check the unit of the clock in the mapping, and these rows',
    evidence: { rows: missing },
  };
}

function rateFinding(name: string, declared: number, measured: number): Finding {
  return {
    code: 'rate_differs',
    severity: 'warning',
    path: null,
    message: `the mapping declares ${declared} Hz, but the clock ${name} runs at ${measured} Hz`,
    advice: 'correct rate_hz or the unit of the clock',
    evidence: { declared_hz: declared, measured_hz: measured },
  };
}

function shapesFinding(id: string, shapes: SignalCheck['shapes']): Finding {
  const listed = shapes.slice(0, 4).map(({ shape, episodes }) => `[${shape.join(', ')}] in ${episodes}`);
  return {
    code: 'shapes_differ',
    severity: 'error',
    path: null,
    message: `${id} has different shapes in different episodes: ${listed.join(', ')}`,
    advice:
      'put recordings of different robots into separate folders with a mapping each, or correct the columns',
  };
}

const maxUnused = 200;

/** Returns the columns of the first readable table that no setting of the mapping names. */
async function listUnused(tree: SourceTree, { mapping, mapping_path }: UsedMapping): Promise<string[]> {
  const { files } = await findTables(tree, mapping, mapping_path);
  for (const file of files.slice(0, 3)) {
    try {
      await using table = await openTable(tree, file, mapping);
      const isUsed = usedNames(mapping);
      return table.columns
        .map(({ name }) => name)
        .filter((name) => !isUsed(name))
        .slice(0, maxUnused);
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
    }
  }
  return [];
}

function usedNames({ streams, clocks, videos, task, outcome, episodes }: Mapping): (name: string) => boolean {
  const settings = [
    ...streams.flatMap(({ columns }) => columns),
    ...clocks.map(({ column }) => column),
    ...[...videos, task, outcome, episodes].flatMap((setting) =>
      typeof setting === 'object' && 'column' in setting && setting.column !== undefined
        ? [setting.column]
        : [],
    ),
  ];
  const patterns = settings.map((name) => {
    const source = name.split('*').map((text) => text.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
    return new RegExp(`^${source.join('.*')}$`);
  });
  return (name) => patterns.some((pattern) => pattern.test(name));
}
