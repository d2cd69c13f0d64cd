import { basename, resolve } from 'node:path';
import { AssayError, canonicalJson, sha256 } from '#core';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { projectOf, reachService } from '../../service-client.ts';
import { renderAnswer, renderHits } from '../../tables/search-table.ts';
import { count } from '../../text.ts';
import { assertWritable, writeNew } from '../../write-new.ts';
import { findInFolder, type SearchArguments, targetsService, toServiceQuery } from './search.ts';

export interface SliceArguments extends SearchArguments {
  readonly name?: string;
  /** Output file, for a slice of a folder. */
  readonly out?: string;
  readonly dryRun?: boolean;
}

/** Runs `assay slice PATH --out FILE` or `--project P`: stores the current results of a search. */
export async function sliceCommand(
  path: string | undefined,
  args: SliceArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  if (targetsService(path, args.project, 'slice')) return sliceService(args.project!, args, io, launcher);
  return sliceFolder(path!, args, io);
}

async function sliceFolder(path: string, args: SliceArguments, io: Io): Promise<number> {
  const { out, dryRun, json, most, name } = args;
  if (dryRun !== true && out === undefined)
    throw new AssayError('usage', 'slice needs an output file', {
      advice: 'add --out FILE, or --dry-run to see what it would contain',
    });
  const file = dryRun === true || out === undefined ? null : { path: out };
  if (file !== null) assertWritable(file);
  const found = await findInFolder(path, args, io, { command: 'assay slice', receipts: true });
  const { index, filter, rank, result } = found;
  const slice = {
    query: { filter, rank },
    ranked_by: result.ranked_by,
    coverage: result.coverage,
    settings_hash: index.settings_hash,
    members: result.hits.slice(0, most).map(({ episode: { dataset, id, index: place, receipt }, score }) => {
      return { dataset, id, index: place, receipt, score };
    }),
  };
  const document = {
    schema: 'assay/slice/v1',
    name: name ?? basename(resolve(path)),
    ...slice,
    response_hash: sha256(canonicalJson(slice)),
  };
  if (file !== null) writeNew(file, `${JSON.stringify(document, null, 2)}\n`);
  if (json === true) await io.out(`${JSON.stringify(document)}\n`);
  else {
    await io.out(renderHits(result, { most: Math.min(most, 20), columns: io.columns }));
    const members = count(slice.members.length, 'episode');
    await io.out(
      dryRun === true
        ? `The slice would contain ${members}\n`
        : `Written: ${out}, ${members}, ${document.response_hash}\n`,
    );
  }
  return 0;
}

async function sliceService(
  project: string,
  args: SliceArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  const { name, most, json, dryRun } = args;
  if (name === undefined)
    throw new AssayError('usage', 'slice needs --name with --project', { advice: 'add --name NAME' });
  const query = toServiceQuery(args);
  const client = await reachService(args, launcher);
  const project_id = await projectOf(client, project);
  if (dryRun === true) {
    const answer = await client.search.episodes({ project_id, ...query, limit: 20 });
    await io.out(json === true ? `${JSON.stringify(answer)}\n` : renderAnswer(answer, io.columns));
    return 0;
  }
  const slice = await client.search.createSlice({ project_id, name, query, most });
  const { id, episodes, response_hash } = slice;
  await io.out(
    json === true
      ? `${JSON.stringify(slice)}\n`
      : `Created slice ${id}: ${count(episodes, 'episode')}, result hash ${response_hash}\n`,
  );
  return 0;
}
