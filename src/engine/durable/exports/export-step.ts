import { basename } from 'node:path';
import { AssayError, newId } from '#core';
import { type ExportRow, exportRows, type SourceLocation, sourceRows } from '#store';
import { recordingsOf } from '../../recordings/recordings-of.ts';
import { layersFor } from '../../steps/annotated/exported-layers.ts';
import { editRequest } from '../../steps/export/edit-steps.ts';
import type { WorkContext } from '../do-work.ts';
import type { Engine } from '../engine.ts';

import { withWork } from '../held-work.ts';
import { threadHooks } from '../thread-hooks.ts';
import { bundleStep } from './bundle-step.ts';
import { endExport } from './end-export.ts';
import { exportKind } from './export-kind.ts';
import { type ExportRef, exportPrefix } from './export-ref.ts';

/**
 * Writes an export into the blob store, under a prefix of this try's own; the row names the prefix once everything is
 * there. Throws `not_ready` with the file where a recording has changed since it was judged.
 */
export async function exportStep(
  engine: Engine,
  ref: ExportRef,
  context: WorkContext<ExportRow>,
): Promise<void> {
  const { store, threads } = engine;
  const { row } = context;
  if (row.certification !== null) return bundleStep(engine, ref, context, row.certification);
  const { source_id, format } = row;
  if (source_id === null || format === 'certified-bundle')
    throw new AssayError('internal', 'the export names no source and no evidence');
  const source = await sourceRows.getSource({ sql: store.database.sql, tenant_id: ref.tenant_id }, source_id);
  if (source === null) throw new AssayError('not_found', 'the source was taken out');
  context.underWay.episodes = 0;
  const prefix = `${exportPrefix(ref)}/${newId('blb')}`;
  const layers = layersFor(format, row.chosen.annotations ?? null);
  const answer = await threads.do(
    {
      type: 'export',
      key: ref.export_id,
      recordings: await recordingsOf(store, source),
      source_name: source_name(source.location, source.name),
      dataset_path: row.dataset_path,
      dataset_format: row.dataset_format,
      format,
      rate_hz: row.rate_hz,
      edits: editRequest(row.chosen.edits),
      layers,
      episodes: await exportRows.chosenAsJson(store.database, row, layers),
      prefix,
    },
    threadHooks(engine, exportKind, ref, context),
  );
  await withWork(
    engine,
    exportKind,
    ref,
    async (held) => {
      const { files, bytes, seal, compute_s } = answer;
      const made = { blob_prefix: prefix, files, bytes, seal, compute_s, written: held.kept };
      await endExport(store, held, { ...made, status: 'succeeded', error: null });
    },
    context.stop,
  );
}

/** As a local export names it: the last part of the path. */
const source_name = (location: SourceLocation, name: string): string =>
  location.kind === 'folder' ? basename(location.path) : name;
