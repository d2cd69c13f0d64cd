import { z } from 'zod';
import { type AssessmentResult, assess, type EpisodeVerdict, worstFirst } from '#engine/local';
import { assessOptionsOf } from '../../../assess-options.ts';
import type { Launcher } from '../../../launcher.ts';
import { withRecordings } from '../../../with-recordings.ts';
import { defineFolderTool, type FolderTool } from './folder-tool.ts';
import { limitMember, pathMember } from './members.ts';
import { pathWithin } from './path-within.ts';

/** Episodes that are listed by default: enough to see what is wrong. */
const shown = 50;

/** What `assay assess` judges, without the receipts. */
export const assessTool = (launcher: Launcher): FolderTool =>
  defineFolderTool({
    id: 'assess',
    title: 'Assess',
    description:
      'Judges every episode: accept, review or reject, with score and flags, and findings on the recordings as a whole. Lists the episodes that need looking at most first. May take minutes; what was measured once is kept.',
    reads: true,
    body: z.strictObject({
      path: pathMember,
      limit: limitMember,
      most: z
        .int()
        .min(0)
        .max(1000)
        .default(shown)
        .meta({ description: 'how many episodes are listed, worst first' }),
    }),
    run: async ({ root, io }, { path, limit, most }) => {
      const found = await pathWithin(root, path);
      const cache = launcher.cacheFolder();
      const options = {
        ...assessOptionsOf({ cache, ...(limit === undefined ? {} : { limit }) }),
        details: most,
      };
      return withRecordings(found, {}, io, launcher, async ({ recordings }) => {
        const result = await assess(recordings, options, { signal: io.signal });
        try {
          return answerOf(result, most);
        } finally {
          await result.close();
        }
      });
    },
  });

function answerOf(result: AssessmentResult, most: number) {
  const { settings, ...dataset } = result.summary();
  const paths = result.datasets.map(({ path }) => path);
  const worst = result.verdicts.toSorted(worstFirst).slice(0, most);
  return {
    dataset,
    settings: { name: settings.name, hash: settings.hash },
    flags: countFlags(result.verdicts),
    episodes: worst.map(({ dataset: at, receipt: _, ...verdict }) => ({ dataset: paths[at], ...verdict })),
    episodes_not_listed: result.verdicts.length - worst.length,
  };
}

/** Codes by the number of episodes that raise them, most first. */
function countFlags(verdicts: readonly EpisodeVerdict[]) {
  const counts = new Map<string, number>();
  for (const { flags } of verdicts)
    for (const code of new Set(flags.map(({ code }) => code))) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([code, episodes]) => ({ code, episodes }));
}
