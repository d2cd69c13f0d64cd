import { relative, resolve } from 'node:path';
import { type ChosenEpisode, type ExportOptions, type ExportResult, exportDataset } from '#assess/export';
import type { Kind } from '#episode';
import { AssayError, type JsonObject } from '#kernel';
import { demandNoAddress } from '../../demand-no-address.ts';
import type { Io } from '../../io.ts';
import { readSettings } from '../../read-settings.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { bytesInWords, count } from '../../words.ts';
import { choiceOfPlan } from './plan-choice.ts';

export interface ExportArguments {
  readonly out?: string;
  readonly format: NonNullable<ExportOptions['format']>;
  /** Hz. */
  readonly rate?: number;
  readonly withReview?: boolean;
  readonly only?: readonly string[];
  readonly without?: readonly string[];
  readonly drop?: readonly string[];
  readonly convert?: readonly string[];
  readonly cut?: string;
  readonly shift?: readonly string[];
  readonly trim?: string;
  readonly rename?: readonly string[];
  readonly split?: readonly string[];
  /** A file that `assay curate --out` wrote. */
  readonly plan?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly workers?: number;
  readonly settings?: string;
  readonly kind?: Kind;
  readonly limit?: number;
  /** Folder of what assess keeps; null: none. */
  readonly cache?: string | null;
}

const droppedShown = 20;
const editsShown = 20;
const titles: Record<ExportArguments['format'], string> = {
  'lerobot-v3': 'LeRobot v3.0',
  'lerobot-v2.1': 'LeRobot v2.1',
  webdataset: 'WebDataset shards',
  'coco-detection': 'COCO detection',
  'image-folder': 'an image folder',
  'zarr-replay-buffer': 'a zarr replay buffer',
  mcap: 'MCAP recordings',
};

/** `assay export PATH --out DIR`: the training set of what may be trained on. */
export async function exportCommand(path: string, args: ExportArguments, io: Io): Promise<number> {
  if (args.out === undefined && args.dryRun !== true)
    throw new AssayError('usage', 'export needs a folder to write to', {
      advice: 'add --out DIR, or --dry-run to see what would be kept',
    });
  if (args.plan !== undefined && args.only !== undefined)
    throw new AssayError('usage', '--plan and --only both say what is kept', { advice: 'name one of them' });
  demandNoAddress(path, 'assay export');
  const progress = createProgressLine(io, path);
  let result: ExportResult;
  try {
    const hooks = { signal: io.signal, onProgress: progress.show };
    result = await exportDataset(path, args.out ?? '', optionsOf(args), hooks);
  } finally {
    progress.end();
  }
  await io.out(args.json === true ? `${JSON.stringify(asJson(result))}\n` : inWords(result, args));
  return 0;
}

function optionsOf(args: ExportArguments) {
  const { workers, settings, kind, limit, cache } = args;
  return {
    format: args.format,
    edits: editsOf(args),
    ...(args.rate === undefined ? {} : { rate_hz: args.rate }),
    ...(args.withReview === true ? { with_review: true } : {}),
    ...(args.only === undefined ? {} : { only: args.only }),
    ...(args.plan === undefined ? {} : choiceOfPlan(args.plan)),
    ...(args.without === undefined ? {} : { without: args.without }),
    ...(args.dryRun === true ? { dry_run: true } : {}),
    assess: {
      ...(workers === undefined ? {} : { workers }),
      ...(settings === undefined ? {} : { settings: readSettings(settings) }),
      ...(kind === undefined ? {} : { kind }),
      ...(limit === undefined ? {} : { limit }),
      ...(cache == null ? {} : { cacheFolder: cache }),
    },
  };
}

/** By the id of the edit, which is the name of its option. */
function editsOf({ drop, convert, cut, shift, trim, rename, split }: ExportArguments) {
  const asked = { drop, convert, cut, shift, trim, rename, split };
  return Object.fromEntries(
    Object.entries(asked).flatMap(([id, texts]) => (texts === undefined ? [] : [[id, [texts].flat()]])),
  );
}

function asJson({ episodes, lineage }: ExportResult) {
  if (lineage !== null) return lineage;
  const said = ({ verdict: { id, index, decision } }: ChosenEpisode) => ({
    id,
    source_index: index,
    decision,
  });
  return {
    kept: episodes.filter(({ dropped }) => dropped === null).map(said),
    dropped: episodes
      .filter(({ dropped }) => dropped !== null)
      .map((one) => ({ ...said(one), ...whyOf(one) })),
  };
}

const whyOf = ({ verdict: { flags, findings }, dropped }: ChosenEpisode) => ({
  reason: dropped,
  flags: [...flags, ...findings].map(({ code }) => code),
});

function inWords({ episodes, lineage }: ExportResult, { out, format }: ExportArguments): string {
  const dropped = episodes.filter(({ dropped }) => dropped !== null);
  const kept = episodes.length - dropped.length;
  const lines = [
    `${kept} of ${count(episodes.length, 'episode')} ${lineage === null ? 'would be kept' : 'kept'}`,
  ];
  for (const one of dropped.slice(0, droppedShown)) {
    const { reason, flags } = whyOf(one);
    lines.push(`  without ${one.verdict.id}: ${reason}${flags.length > 0 ? ` (${flags.join(', ')})` : ''}`);
  }
  if (dropped.length > droppedShown)
    lines.push(`  and ${dropped.length - droppedShown} more; --json lists all`);
  if (lineage === null || out === undefined) return `${lines.join('\n')}\n`;
  const bytes = lineage.files.reduce((sum, file) => sum + file.bytes, 0);
  const near = relative(process.cwd(), resolve(out)) || '.';
  for (const edit of lineage.edits.slice(0, editsShown)) lines.push(`  ${editInWords(edit)}`);
  if (lineage.edits.length > editsShown)
    lines.push(`  and ${lineage.edits.length - editsShown} more changes; assay-lineage.json lists all`);
  lines.push(
    `Written: ${near}, ${bytesInWords(bytes)}, ${titles[format]}`,
    `Seal:    ${lineage.seal}`,
    `Next:    assay verify ${near} says at any time whether a file was changed`,
  );
  return `${lines.join('\n')}\n`;
}

function editInWords({ edit, feature, reason, rule, ...rest }: JsonObject): string {
  if (edit === 'drop_feature') return `without ${feature}: ${reason}`;
  if (edit === 'rename' && rest.from !== undefined) return `${feature} from ${[rest.from].flat().join(', ')}`;
  if (edit === 'encode') return `${feature} encoded as ${rest.codec}, from ${[rest.from].flat().join(', ')}`;
  if (edit === 'align') return String(rule);
  return typeof reason === 'string' ? reason : `${edit}: ${JSON.stringify(rest)}`;
}
