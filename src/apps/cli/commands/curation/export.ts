import { relative, resolve } from 'node:path';
import { AssayError } from '#core';
import { codeTitle } from '#core/titles';
import {
  type ExportOptions,
  type ExportPlan,
  type ExportResult,
  exportDataset,
  type SourceEpisode,
} from '#engine/local/export';
import { assessOptionsOf, type WorkArguments } from '../../assess-options.ts';
import type { Io } from '../../io.ts';
import { requireLocalPath } from '../../require-local-path.ts';
import { type OmittedEpisode, omittedLines } from '../../tables/omitted-lines.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { bytesInWords, count } from '../../text.ts';
import { type EditArguments, editInWords, editsOf } from './edit-arguments.ts';
import { readPlanChoice } from './plan-files.ts';

export interface ExportArguments extends WorkArguments, EditArguments {
  readonly out?: string;
  /** Defaults to LeRobot v3.0. */
  readonly format?: ExportOptions['format'];
  /** Row rate in Hz. Defaults to that of the recordings. */
  readonly rate?: number;
  readonly withReview?: boolean;
  readonly only?: readonly string[];
  readonly without?: readonly string[];
  /** Feature renames for merging, each as `SET:FEATURE=NAME`. */
  readonly map?: readonly string[];
  /** Plan file that `assay curate --out` wrote. */
  readonly plan?: string;
  /** Folder that `assay annotate --out` wrote. */
  readonly annotations?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const nothingToExport =
  'No episodes to export. assay assess shows why; --with-review keeps episodes that need review, --only selects episodes by id';
const maxListedEdits = 20;
/**
 * Runs `assay export PATH.. --out DIR`: writes the accepted episodes as a training set. Returns 1 if no episode
 * qualifies, else 0.
 */
export async function exportCommand(
  paths: readonly string[],
  args: ExportArguments,
  io: Io,
): Promise<number> {
  if (args.out === undefined && args.dryRun !== true)
    throw new AssayError('usage', 'export needs an output folder', {
      advice: 'add --out DIR, or --dry-run to see what would be kept',
    });
  if (args.plan !== undefined && args.only !== undefined)
    throw new AssayError('usage', '--plan and --only cannot be combined', { advice: 'use one of them' });
  for (const path of paths) requireLocalPath(path, 'assay export');
  const [path, ...merge] = paths;
  const progress = createProgressLine(io, path);
  let result: ExportResult;
  try {
    const hooks = { signal: io.signal, onProgress: progress.show };
    const options = { ...optionsOf(args), merge };
    result = await exportDataset(path, args.out ?? '', options, hooks);
  } finally {
    progress.end();
  }
  await io.out(args.json === true ? `${JSON.stringify(asJson(result))}\n` : inWords(result, args));
  return result.episodes.some(({ dropped }) => dropped === null) ? 0 : 1;
}

function optionsOf(args: ExportArguments) {
  return {
    ...(args.format === undefined ? {} : { format: args.format }),
    edits: editsOf(args),
    ...(args.map === undefined ? {} : { map: args.map }),
    ...(args.rate === undefined ? {} : { rate_hz: args.rate }),
    ...(args.withReview === true ? { with_review: true } : {}),
    ...(args.only === undefined ? {} : { only: args.only }),
    ...(args.plan === undefined ? {} : readPlanChoice(args.plan)),
    ...(args.without === undefined ? {} : { without: args.without }),
    ...(args.annotations === undefined ? {} : { annotations: args.annotations }),
    ...(args.dryRun === true ? { dry_run: true } : {}),
    assess: assessOptionsOf(args),
  };
}

function asJson({ episodes, lineage, plan }: ExportResult) {
  if (lineage !== null) return lineage;
  const isMerged = new Set(episodes.map(({ source }) => source)).size > 1;
  const episodeSummary = ({ verdict: { id, index, decision }, source }: SourceEpisode) => ({
    id,
    ...(isMerged ? { source } : {}),
    source_index: index,
    decision,
  });
  return {
    ...(plan === null ? {} : { plan: namedPlan(plan, episodes) }),
    kept: episodes.filter(({ dropped }) => dropped === null).map(episodeSummary),
    dropped: episodes
      .filter(({ dropped }) => dropped !== null)
      .map((one) => ({ ...episodeSummary(one), ...dropReason(one) })),
  };
}

const dropReason = ({ verdict: { flags, findings }, dropped }: SourceEpisode) => ({
  reason: dropped,
  flags: [...flags, ...findings].map(({ code }) => code),
});

function toOmittedEpisode(one: SourceEpisode, isMerged: boolean): OmittedEpisode {
  const { reason, flags } = dropReason(one);
  const titles = [...new Set(flags.map(codeTitle))].join(', ');
  return {
    id: `${isMerged ? `${one.source}:` : ''}${one.verdict.id}`,
    why: `${reason}${titles === '' ? '' : ` (${titles})`}`,
  };
}

function inWords({ episodes, lineage, plan, title }: ExportResult, { out }: ExportArguments): string {
  const dropped = episodes.filter(({ dropped }) => dropped !== null);
  const exportedCount = episodes.length - dropped.length;
  const lines = [
    `${exportedCount} of ${count(episodes.length, 'episode')} ${lineage === null ? 'would be kept' : 'kept'}`,
  ];
  const isMerged = new Set(episodes.map(({ source }) => source)).size > 1;
  lines.push(...omittedLines(dropped.map((one) => toOmittedEpisode(one, isMerged))));
  if (exportedCount === 0) lines.push(nothingToExport, ...blockingAdvice(dropped));
  if (plan !== null) lines.push(...planLines(namedPlan(plan, episodes), isMerged));
  if (lineage === null || out === undefined) return `${lines.join('\n')}\n`;
  const bytes = lineage.files.reduce((sum, file) => sum + file.bytes, 0);
  const near = relative(process.cwd(), resolve(out)) || '.';
  for (const edit of lineage.edits.slice(0, maxListedEdits)) lines.push(`  ${editInWords(edit)}`);
  if (lineage.edits.length > maxListedEdits)
    lines.push(`  and ${lineage.edits.length - maxListedEdits} more changes; assay-lineage.json lists all`);
  lines.push(
    `Written: ${near}, ${bytesInWords(bytes)}, ${title}`,
    `Seal:    ${lineage.seal}`,
    `Next:    assay verify ${near}  # check that no file has changed`,
  );
  return `${lines.join('\n')}\n`;
}

const maxAdvice = 3;

/** Returns the advice of the findings that reject the episodes, each once. */
function blockingAdvice(dropped: readonly SourceEpisode[]): string[] {
  const findings = dropped.flatMap(({ verdict }) => verdict.findings);
  const blocking = findings.filter(({ severity }) => severity === 'blocking');
  return [...new Set(blocking.map(({ advice }) => `→ ${advice}`))].slice(0, maxAdvice);
}

const maxListedEpisodes = 20;

/** An export plan whose episodes name their source dataset instead of its index. */
type NamedPlan = ReturnType<typeof namedPlan>;

function namedPlan({ episodes, ...plan }: ExportPlan, all: readonly SourceEpisode[]) {
  const names = [...new Set(all.map(({ source }) => source))];
  return {
    ...plan,
    episodes: episodes.map(({ source, ...episode }) => ({ source: names[source], ...episode })),
  };
}

/** Returns the lines of a dry run on the edits and their effect. */
function planLines(plan: NamedPlan, isMerged: boolean): string[] {
  const { edits, episodes, cameras, rows, rate_hz, without, splits } = plan;
  const lines = edits.map((edit) => `  ${editInWords(edit)}`);
  lines.push(`  ${count(episodes.length, 'episode')}, ${count(rows, 'row')} at ${rate_hz} Hz`);
  for (const one of episodes.slice(0, maxListedEpisodes)) {
    const name = `${isMerged ? `${one.source}:` : ''}${one.id}`;
    lines.push(
      `    ${one.index}: ${name}, source rows ${one.from} to ${one.until - 1} → ${count(one.rows, 'row')}, ${one.duration_s.toFixed(1)} s`,
    );
  }
  if (episodes.length > maxListedEpisodes)
    lines.push(`    and ${episodes.length - maxListedEpisodes} more; --json lists all`);
  for (const { feature, copied, encoded, codec } of cameras) {
    const parts = [copied > 0 ? `copied in ${count(copied, 'episode')}` : null];
    parts.push(encoded > 0 ? `encoded as ${codec} in ${count(encoded, 'episode')}` : null);
    lines.push(`  ${feature}: ${parts.filter((part) => part !== null).join(', ')}`);
  }
  if (without.length > 0) lines.push(`  left out: ${without.join(', ')}`);
  if (Object.keys(splits).length === 0) return lines;
  lines.push(
    `  splits: ${Object.entries(splits)
      .map(([name, range]) => `${name} ${range}`)
      .join(', ')}`,
  );
  return lines;
}
