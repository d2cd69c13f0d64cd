import type { AssayClient } from '@assay/client';
import { AssayError } from '#core';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { projectOf } from '../../named-project.ts';
import { reachService } from '../../service-place.ts';
import { nothingNear, renderFailures } from '../../tables/failure-table.ts';
import { planFrom } from '../curate/read-plan.ts';
import { readChoice } from './failures-of.ts';
import type { LoopArguments } from './loop-arguments.ts';

/** `assay loop --project`: imports failures at a running service, curates again there and stages an export. */
export async function loopProject(
  args: LoopArguments & { readonly project: string },
  io: Io,
  launcher: Launcher,
): Promise<number> {
  if (args.out !== undefined || args.operators !== undefined)
    throw new AssayError('usage', 'a service keeps its plans itself, and takes no --out and no --operators', {
      advice: 'leave them out, or name a path instead of a project',
    });
  const input = inputOf(args.failures);
  const { task, neighbours, novelFrom: novel_from, factor, format, dryRun, json } = args;
  if (dryRun === true) {
    await io.out('Nothing was imported: the failures can be read\n');
    return 0;
  }
  const client = await reachService(args, launcher);
  const project_id = await projectOf(client, args.project);
  const { value: imported } = await client.ask('import_failures', {
    ...{ project_id, ...input, neighbours, novel_from },
    ...(task === undefined ? {} : { task }),
  });
  const failures = await listed(client, project_id, imported.id);
  const plan = planFrom(args);
  const closed =
    imported.near === 0
      ? null
      : (
          await client.ask('close_loop', {
            ...{ project_id, import_id: imported.id, factor },
            ...(plan === null ? {} : { plan: JSON.parse(JSON.stringify(plan)) }),
            ...(format === undefined ? {} : { format: format as 'lerobot-v3' }),
          })
        ).value;
  if (json === true) {
    await io.out(`${JSON.stringify({ import: imported, failures, closed })}\n`);
    return 0;
  }
  const found = renderFailures({ baseline: imported.baseline, failures, notes: imported.notes }, io.columns);
  const next =
    closed === null
      ? nothingNear(failures, 'export')
      : `Stored:  ${imported.slice_id} (slice), ${closed.curation.id} (plan)\nStaged:  ${closed.export.id}, ${closed.export.episodes.kept} episodes; a person seals it\n`;
  await io.out(found + next);
  return 0;
}

/** All failures of an import, in its order. */
async function listed(client: AssayClient, project_id: string, import_id: string) {
  const all = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.failures.list({
      ...{ project_id, import_id, limit: 500 },
      ...(cursor === undefined ? {} : { cursor }),
    });
    all.push(...page.items);
    cursor = page.next_cursor;
  }
  return all.reverse().map(({ record_id, nearest, ...row }) => {
    return {
      ...row,
      id: record_id,
      nearest: nearest.map(({ episode_id, distance }) => ({ id: episode_id, distance })),
    };
  });
}

/** A source by its id, else a file of failures. Throws `usage` for recordings that the service does not have. */
function inputOf(failures: string) {
  if (/^src_[0-9a-z]{26}$/.test(failures)) return { source_id: failures };
  const choice = readChoice(failures);
  if (choice.kind === 'file') return { file: { format: choice.format, text: choice.text } };
  throw new AssayError('usage', `${failures} is a recording, and a service reads its own sources`, {
    advice: 'assay ingest it, then name its source: --failures src_…',
  });
}
