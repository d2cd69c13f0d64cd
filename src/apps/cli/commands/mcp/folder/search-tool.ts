import { z } from 'zod';
import { descriptors } from '#quality/search';
import type { Launcher } from '../../../launcher.ts';
import { searchCommand } from '../../search/search.ts';
import { defineFolderTool, type FolderTool } from './folder-tool.ts';
import { limitMember, pathMember } from './members.ts';
import { pathWithin } from './path-within.ts';
import { printedBy } from './printed-by.ts';

const several = z.array(z.string().min(1).max(2000)).min(1).max(50).optional();
const words = z.string().min(1).max(1000).optional();

/** What `assay search` finds. */
export const searchTool = (launcher: Launcher): FolderTool =>
  defineFolderTool({
    id: 'search',
    title: 'Search',
    description:
      'Finds episodes by filters, and ranks them by the words of their task (about) or by likeness to an episode (like). Values of one filter are alternatives, different filters must all hold.',
    reads: true,
    body: z.strictObject({
      path: pathMember,
      text: words.meta({ description: 'words that the task must all have' }),
      decision: z.array(z.enum(['accept', 'review', 'reject'])).optional(),
      outcome: z.array(z.enum(['success', 'failure', 'unknown'])).optional(),
      flag: several.meta({ description: 'codes, such as frames_repeated' }),
      robot: several,
      object: several,
      about: words.meta({ description: 'rank by how well the task fits these words' }),
      like: words.meta({ description: 'rank by likeness to this episode, by id or number' }),
      by: z.enum(descriptors.ids).default('motion').meta({ description: 'what like compares' }),
      most: z.int().min(1).max(500).default(20),
      limit: limitMember,
    }),
    run: async ({ root, io }, { path, ...asked }) => {
      const found = await pathWithin(root, path);
      const args = {
        ...given(asked),
        by: asked.by,
        most: asked.most,
        cache: launcher.cacheFolder(),
        json: true,
      };
      return printedBy(io, (captured) => searchCommand(found, args, captured, launcher));
    },
  });

type Given<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** Without members that were left out. */
function given<Members extends object>(members: Members): Given<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Given<Members>;
}
