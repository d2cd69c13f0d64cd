import type { exportOperations } from '#core/api/operations';
import {
  cancelExport,
  createExport,
  deleteExport,
  downloadExport,
  getExport,
  getExportFile,
  getExportLineage,
  listExportFiles,
  listExports,
  sealExport,
} from '#service/operations';
import type { HandlersOf } from '../handler.ts';

/** Handlers of exports and their files. */
export const exportHandlers = {
  list_exports: ({ store, call }, { params, query }) => listExports(store, call, { ...params, ...query }),
  create_export: ({ store, call }, { params, body }) => createExport(store, call, { ...params, ...body }),
  get_export: ({ store, call }, { params }) => getExport(store, call, params),
  cancel_export: ({ store, call }, { params }) => cancelExport(store, call, params),
  seal_export: ({ store, call }, { params }) => sealExport(store, call, params),
  delete_export: async ({ store, call }, { params }) => {
    await deleteExport(store, call, params);
  },
  get_export_lineage: async ({ store, call }, { params }) => {
    const { json, seal } = await getExportLineage(store, call, params);
    return { content_type: 'application/json', body: json, headers: { etag: `"${seal}"` } };
  },
  get_export_download: async ({ store, call }, { params, query }) => {
    const { name, seal, body } = await downloadExport(store, call, { ...params, ...query });
    const headers = { etag: `"${seal}"`, 'content-disposition': `attachment; filename="${name}"` };
    return { content_type: 'application/octet-stream', body, headers };
  },
  list_export_files: ({ store, call }, { params, query }) =>
    listExportFiles(store, call, { ...params, ...query }),
  get_export_file: async ({ store, call }, { params }) => {
    const { sha256, body } = await getExportFile(store, call, params);
    return { content_type: 'application/octet-stream', body, headers: { etag: `"${sha256}"` } };
  },
} satisfies HandlersOf<typeof exportOperations>;
