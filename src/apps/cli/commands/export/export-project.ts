import { type AssayClient, type Export, requestOf } from '@assay/client';
import { AssayError, errorCodes } from '#core';
import { stageFolder } from '#engine/local/export';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { projectOf } from '../../named-project.ts';
import { type PlaceArguments, reachService } from '../../service-place.ts';
import { bytesInWords, count } from '../../words.ts';
import { downloadExport } from './download-export.ts';
import { type EditArguments, editsOf } from './edit-arguments.ts';
import { followExport, isOver, ofExport } from './follow-export.ts';

export interface ExportProjectArguments extends PlaceArguments, EditArguments {
  /** Id, or a name that only one project has. */
  readonly project: string;
  /** One that was made before, to be followed and downloaded. */
  readonly export?: string;
  readonly format: Exclude<Export['format'], 'certified-bundle'>;
  readonly rate?: number;
  readonly source?: string;
  readonly withReview?: boolean;
  readonly only?: readonly string[];
  readonly without?: readonly string[];
  /** Id of a plan that was applied. */
  readonly plan?: string;
  readonly out?: string;
  /** True: what was annotated there goes along. */
  readonly annotations?: string | true;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/**
 * `assay export --project P`: has a running service export a project's episodes, shows how that goes on, and brings the
 * export into a folder. Stopped by the person it leaves the export running.
 */
export async function exportProjectCommand(
  args: ExportProjectArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  // Before the service makes anything.
  if (args.out !== undefined) stageFolder(args.out).discard();
  const client = await reachService(args, launcher);
  const project_id = await projectOf(client, args.project);
  const made = await (args.export === undefined
    ? create(client, project_id, args)
    : client.exports.get({ project_id, export_id: args.export }));
  const last = await followExport(client, made, io);
  if (!isOver(last)) tellGoesOn(client, last, io);
  const isWhole = last.status === 'succeeded' || last.status === 'sealed';
  if (isWhole && args.out !== undefined) await downloadExport(client, last, args.out, io);
  await io.out(args.json === true ? `${JSON.stringify(last)}\n` : inWords(last, args));
  return exitOf(last);
}

function create(
  client: AssayClient,
  project_id: string,
  { format, rate, source, withReview, only, without, plan, annotations, ...rest }: ExportProjectArguments,
): Promise<Export> {
  const decisions: ('accept' | 'review')[] = withReview === true ? ['accept', 'review'] : ['accept'];
  const episodes = {
    decisions,
    ...(only === undefined ? {} : { episode_ids: [...only] }),
    ...(without === undefined ? {} : { without: [...without] }),
    ...(plan === undefined ? {} : { curation_id: plan }),
  };
  const asked = {
    project_id,
    format,
    rate_hz: rate,
    episodes,
    edits: editsOf(rest),
    ...(annotations === undefined ? {} : { annotations: true }),
    ...(source === undefined ? {} : { source_id: source }),
  };
  return client.exports.create(asked);
}

function tellGoesOn(client: AssayClient, made: Export, io: Io): void {
  const [shown, ended] = [
    requestOf('get_export', ofExport(made)),
    requestOf('cancel_export', ofExport(made)),
  ];
  io.note('assay: stopped watching; the export goes on\n');
  io.note(
    `       GET ${client.address}${shown.path} tells how far it is, POST ${client.address}${ended.path} ends it\n`,
  );
}

function inWords(made: Export, { out }: ExportProjectArguments): string {
  const { kept, dropped } = made.episodes;
  const lines = [
    `Export ${made.id} ${made.status}: ${kept} of ${count(kept + dropped, 'episode')}, ${made.format}`,
  ];
  if (made.error !== null)
    lines.push(`  ${[made.error.message, made.error.advice].filter(Boolean).join('; ')}`);
  if (made.seal !== null)
    lines.push(`  ${count(made.files, 'file')}, ${bytesInWords(made.bytes)}`, `Seal:    ${made.seal}`);
  if (made.seal !== null && out !== undefined) lines.push(`Written: ${out}, as it was sealed`);
  else if (made.seal !== null)
    lines.push(
      `Next:    assay export --project ${made.project_id} --export ${made.id} --out DIR brings it here`,
    );
  return `${lines.join('\n')}\n`;
}

/** 0 done, 4 stopped; an export that failed exits as its reason does. */
function exitOf({ status, error }: Export): number {
  if (status === 'succeeded' || status === 'sealed') return 0;
  if (status !== 'failed') return 4;
  const code = Object.keys(errorCodes).find((known) => known === error?.code) as
    | keyof typeof errorCodes
    | undefined;
  return errorCodes[code ?? 'internal'].exit;
}

/** What only one of the two ways takes. Throws `usage`. */
export function demandOneWay(paths: readonly string[], args: Partial<ExportProjectArguments>): void {
  const isHere = paths.length > 0;
  if (isHere && args.annotations === true)
    throw new AssayError('usage', '--annotations names no folder', {
      advice: 'name the folder that assay annotate PATH --out wrote',
    });
  if (!isHere && typeof args.annotations === 'string')
    throw new AssayError('usage', '--annotations takes a folder only for recordings on this machine', {
      advice: 'leave the folder out: an export at a service takes along what was annotated there',
    });
  if (!isHere && args.dryRun === true)
    throw new AssayError('usage', '--dry-run is for recordings on this machine', {
      advice: 'leave it out, or name a path',
    });
  if (isHere !== (args.project !== undefined)) return;
  throw new AssayError(
    'usage',
    !isHere ? 'export needs a path, or --project' : 'export takes a path or --project, not both',
    { advice: 'name recordings on this machine, or a project of a running service' },
  );
}
