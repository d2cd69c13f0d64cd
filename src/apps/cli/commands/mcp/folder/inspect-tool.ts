import { z } from 'zod';
import type { Launcher } from '../../../launcher.ts';
import { inspectCommand } from '../../inspect/inspect.ts';
import { defineFolderTool, type FolderTool } from './folder-tool.ts';
import { pathMember } from './members.ts';
import { pathWithin } from './path-within.ts';
import { printedBy } from './printed-by.ts';

/** What `assay inspect` says. */
export const inspectTool = (launcher: Launcher): FolderTool =>
  defineFolderTool({
    id: 'inspect',
    title: 'Inspect',
    description:
      'Says what lies in the folder and how it was recognised: datasets with format, version, episodes and size, and the streams of the first episode with their clocks and units. Judges nothing; call it first.',
    reads: true,
    body: z.strictObject({ path: pathMember }),
    run: async ({ root, io }, { path }) => {
      const found = await pathWithin(root, path);
      return printedBy(io, (captured) => inspectCommand(found, { json: true }, captured, launcher));
    },
  });
