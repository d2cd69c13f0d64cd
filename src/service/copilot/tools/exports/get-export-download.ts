import { AssayError } from '#core';
import { getExport } from '#service/operations';
import { defineTool } from '../define-tool.ts';
import { operationOf } from '../operation-of.ts';
import { exportFacts } from './describe-export.ts';

const operation = operationOf('get_export_download');

export const getExportDownloadTool = defineTool({
  id: 'get_export_download',
  title: 'Get the download of an export',
  description:
    'Tells where an export that has succeeded can be downloaded as one archive, how large it is, and its seal. The person downloads it with their own token; no file passes through here.',
  effect: 'read',
  operation,
  input: operation,
  run: async (store, call, { project_id, export_id, as }) => {
    const found = await getExport(store, call, { project_id, export_id });
    if (found.seal === null)
      throw new AssayError('not_ready', `the export is ${found.status}: it has no files`, {
        advice: 'ask again when list_exports says that it has succeeded',
        details: { status: found.status },
      });
    const link = operation.path.replace('{project_id}', project_id).replace('{export_id}', export_id);
    return { ...exportFacts(found), method: 'GET', link: `${link}?as=${as}` };
  },
});
