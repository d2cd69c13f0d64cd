import { relative } from 'node:path';
import { styleText } from 'node:util';
import { AssayError } from '#core';
import { inspect, requireWritable } from '#engine/local';
import {
  applyPlan,
  assertSeparateFolders,
  type Change,
  copyOut,
  type FixPlan,
  type FixTarget,
  planFixes,
  type RecoveryResult,
  recover,
  removeEmptyJournalFolder,
  resolveFixTarget,
  type Unfixed,
  undoLast,
  withLock,
} from '#formats/fix';
import type { Io } from '../../io.ts';
import { requireLocalPath } from '../../require-local-path.ts';
import { count, wrap } from '../../text.ts';

export interface FixArguments {
  readonly apply?: boolean;
  readonly undo?: boolean;
  readonly out?: string;
  readonly stamps?: boolean;
  readonly video?: boolean;
  readonly pictures?: boolean;
  readonly json?: boolean;
}

/**
 * Runs `assay fix PATH`: lists the changes, writes them with `--apply`, or reverts the last ones with `--undo`. Returns
 * 1 if changes remain to be applied or faults have no fix, else 0.
 */
export async function fixCommand(path: string, args: FixArguments, io: Io): Promise<number> {
  if ([args.apply, args.undo, args.out !== undefined].filter(Boolean).length > 1)
    throw new AssayError('usage', '--apply, --undo and --out cannot be combined');
  requireLocalPath(path, 'assay fix');
  const place = await resolveFixTarget(path);
  const { root } = place;
  if (args.undo === true) return undoCommand(root, args, io);
  if (args.apply === true)
    return withLock(root, () => applyCommand(place, args, io)).finally(() => removeEmptyJournalFolder(root));
  if (args.out !== undefined) {
    requireWritable(args.out);
    await assertSeparateFolders(root, args.out);
  }
  const plan = await buildPlan(place, args, io);
  if (args.out !== undefined) await copyOut(plan, args.out).finally(plan.close);
  else await plan.close();
  await printPlan(plan, args.out === undefined ? 'planned' : 'copied', args, io, args.out);
  return plan.unfixed.length > 0 || (args.out === undefined && plan.changes.length > 0) ? 1 : 0;
}

async function applyCommand(place: FixTarget, args: FixArguments, io: Io): Promise<number> {
  const { root } = place;
  const recovered = describeRecovery(await recover(root));
  if (recovered !== null) io.note(`assay: ${recovered}\n`);
  const plan = await buildPlan(place, args, io);
  const apply = () => applyPlan(plan, new Date().toISOString());
  const journal = plan.files.length === 0 ? null : await apply().finally(plan.close);
  await plan.close();
  await printPlan(plan, 'applied', args, io, journal === null ? undefined : relative(root, journal.folder));
  return plan.unfixed.length > 0 ? 1 : 0;
}

async function undoCommand(root: string, args: FixArguments, io: Io): Promise<number> {
  const undone = await withLock(root, async () => {
    const recovered = await recover(root);
    return recovered === 'undo_finished' ? null : undoLast(root);
  }).finally(() => removeEmptyJournalFolder(root));
  const files = undone?.manifest.entries.length ?? 0;
  if (args.json === true) await io.out(`${JSON.stringify({ undone: true, files })}\n`);
  else await io.out(`Restored ${count(files, 'file')} in ${root}\n`);
  return 0;
}

async function buildPlan(place: FixTarget, args: FixArguments, io: Io): Promise<FixPlan> {
  io.note(`assay: scanning ${place.root}\n`);
  const plan = await planFixes(place, {
    stamps: args.stamps === true,
    video: args.video === true,
    pictures: args.pictures === true,
    signal: io.signal,
    onPictures: createPictureProgress(io),
  });
  return { ...plan, unfixed: [...plan.unfixed, ...(await findUnfixable(plan, io))] };
}

/** Creates a callback that reports decoding progress at each tenth of the episodes. */
function createPictureProgress(io: Pick<Io, 'note'>): (episode: number, of: number) => void {
  let reportedCount = 0;
  return (episode, of) => {
    const tenth = Math.floor((10 * episode) / of);
    if (tenth > reportedCount) io.note(`assay: checked frames of ${episode} of ${of} episodes\n`);
    reportedCount = Math.max(reportedCount, tenth);
  };
}

/**
 * Returns errors of the dataset that no fix covers. Errors of single episodes are left to `assess`. Empty for formats
 * other than LeRobot.
 */
async function findUnfixable({ format, root, changes, unfixed }: FixPlan, io: Io): Promise<Unfixed[]> {
  if (format !== 'lerobot') return [];
  const known = new Set([...changes.flatMap(({ answers }) => answers), ...unfixed.map(({ code }) => code)]);
  const { datasets, findings } = await inspect(root, { signal: io.signal });
  const allFindings = [...datasets.flatMap((dataset) => dataset.findings), ...findings];
  return allFindings
    .filter(({ severity, code }) => /^(error|blocking)$/.test(severity) && !known.has(code))
    .map(({ code, path, message, advice }) => ({ code, path, episode: null, message, advice }));
}

async function printPlan(
  plan: FixPlan,
  done: 'planned' | 'applied' | 'copied',
  args: FixArguments,
  io: Io,
  where: string | undefined,
): Promise<void> {
  const { format, root, changes, unfixed } = plan;
  if (args.json === true) {
    const files = plan.files.map(({ path, does }) => ({ path, does }));
    await io.out(
      `${JSON.stringify({ format, root, state: done, where: where ?? null, changes, unfixed, files })}\n`,
    );
  } else await io.out(fixInWords(plan, done, where, io));
}

/** Describes how an interrupted fix was recovered; `null` if there was none. */
function describeRecovery(recovered: RecoveryResult): string | null {
  return {
    nothing: null,
    not_begun: 'an earlier fix was interrupted before it changed anything',
    apply_finished: 'an earlier fix was interrupted; it is complete now',
    undo_finished: 'an earlier undo was interrupted; it is complete now',
  }[recovered];
}

const maxChangesPerFile = 40;

/** Renders a plan: changes by file, remaining errors, and the next step. */
function fixInWords(
  { changes, unfixed, files, root }: FixPlan,
  done: 'planned' | 'applied' | 'copied',
  where: string | undefined,
  io: Pick<Io, 'columns' | 'colours'>,
): string {
  const bold = (text: string) => (io.colours ? styleText('bold', text, { validateStream: false }) : text);
  const lines: string[] = [];
  for (const [path, own] of Map.groupBy(changes, (change) => change.path))
    lines.push(bold(path), ...changeLines(own), '');
  if (unfixed.length > 0) lines.push(bold('Not fixed'), ...unfixedGroups(unfixed, io.columns), '');
  const what = `${count(changes.length, 'change')} in ${count(files.length, 'file')}`;
  if (changes.length === 0 && done !== 'copied')
    lines.push(unfixed.length === 0 ? 'Nothing to fix.' : 'No changes; see the advice above.');
  else if (done === 'planned')
    lines.push(
      `${what}. Nothing was written yet.`,
      `Next: assay fix ${root} --apply`,
      '      or --out DIR to write a repaired copy',
    );
  else if (done === 'copied') lines.push(`${what}, written to the copy ${where}`);
  else lines.push(`${what}. The originals are in ${where}`, `To undo: assay fix ${root} --undo`);
  return `${lines.join('\n')}\n`;
}

function changeLines(changes: readonly Change[]): string[] {
  const visibleChanges = changes
    .slice(0, maxChangesPerFile)
    .map(({ what, before, after, answers, episode }) => {
      const of = episode === null ? '' : `episode ${episode}: `;
      return `  ${of}${what}: ${before} → ${after}  (${answers[0]})`;
    });
  const more = changes.length - visibleChanges.length;
  return more > 0 ? [...visibleChanges, `  and ${more} more (--json lists them)`] : visibleChanges;
}

const maxPerCode = 3;

/** Renders unfixed errors, at most `maxPerCode` for each code. */
function unfixedGroups(unfixed: readonly Unfixed[], columns: number): string[] {
  return [...Map.groupBy(unfixed, ({ code }) => code)].flatMap(([code, own]) => {
    const more = own.length - maxPerCode;
    const visibleLines = own.slice(0, maxPerCode).flatMap((one) => unfixedLines(one, columns));
    return more > 0 ? [...visibleLines, `  and ${more} more of ${code} (--json lists them)`] : visibleLines;
  });
}

function unfixedLines({ code, message, path, advice }: Unfixed, columns: number): string[] {
  const place = path === null || message.includes(path) ? '' : `${path}: `;
  return [
    ...wrap(`${place}${message} (${code})`, columns - 2, '  '),
    ...wrap(`→ ${advice}`, columns - 4, '    '),
  ];
}
