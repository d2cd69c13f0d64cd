import { join } from 'node:path';
import { z } from 'zod';
import { AssayError } from '#core';
import { exportFormatIds } from '#core/api';
import type { Launcher } from '../../../launcher.ts';
import { exportCommand } from '../../export/export.ts';
import { defineFolderTool, type FolderContext, type FolderTool } from './folder-tool.ts';
import { limitMember, pathMember } from './members.ts';
import { pathWithin } from './path-within.ts';
import { printedBy } from './printed-by.ts';

const ids = z.array(z.string().min(1).max(1000)).min(1).max(10_000).optional();

/** What `assay export` keeps and, where a name is given, writes. */
export const exportTool = (launcher: Launcher): FolderTool =>
  defineFolderTool({
    id: 'export',
    title: 'Export',
    description:
      'Says which episodes may be trained on and why the others may not; with name it writes them as a new set of that name, in the folder for exports. It changes no recording and overwrites nothing.',
    reads: false,
    body: z.strictObject({
      path: pathMember,
      name: z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)
        .optional()
        .meta({ description: 'of the new folder; absent: nothing is written' }),
      format: z.enum(exportFormatIds).default('lerobot-v3'),
      with_review: z.boolean().default(false).meta({ description: 'keeps what needs review, too' }),
      only: ids,
      without: ids,
      limit: limitMember,
    }),
    run: async (context, { path, name, format, with_review, only, without, limit }) => {
      const found = await pathWithin(context.root, path);
      const args = {
        ...{ format, withReview: with_review, cache: launcher.cacheFolder(), json: true },
        ...(name === undefined ? { dryRun: true } : { out: placeFor(context, name) }),
        ...(only === undefined ? {} : { only }),
        ...(without === undefined ? {} : { without }),
        ...(limit === undefined ? {} : { limit }),
      };
      return printedBy(context.io, (captured) => exportCommand([found], args, captured));
    },
  });

function placeFor({ out }: FolderContext, name: string): string {
  if (out !== null) return join(out, name);
  throw new AssayError('not_permitted', 'nothing may be written here', {
    advice:
      'start `assay mcp PATH --out DIR` with a folder for exports, or leave name out to see what would be kept',
  });
}
