import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { EpisodeComparison } from '#client';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Badge } from '../../components/decision.tsx';
import { Panel } from '../../components/page.tsx';
import { codeTitle, count, score } from '../../components/words.ts';

const page = 50;

type Change = EpisodeComparison['changes'][number];

/** Table of episodes on both sides whose decision or flags differ, with the removed and added flags. */
export function Changes({ comparison }: { readonly comparison: EpisodeComparison }) {
  const { project_id, changes } = comparison;
  const [shown, show] = useState(page);
  return (
    <Panel title="Episodes with different results" tally={count(changes.length)}>
      <DataTable
        caption="Episodes with different results"
        columns={columnsOf(project_id)}
        rows={changes.slice(0, shown)}
        keyOf={({ episode_id }) => episode_id}
        none="All episodes in both have the same decision and flags."
      />
      {changes.length > shown && (
        <button type="button" className="button" onClick={() => show(shown + page)}>
          Show more ({count(changes.length)} in total)
        </button>
      )}
    </Panel>
  );
}

const columnsOf = (projectId: string): readonly Column<Change>[] => [
  {
    title: 'Episode',
    cell: ({ episode_id, name }) => (
      <Link
        to="/projects/$projectId/episodes/$episodeId"
        params={{ projectId, episodeId: episode_id }}
        className="episode-link"
      >
        {name}
      </Link>
    ),
  },
  { title: 'Left', cell: ({ one }) => <Badge decision={one.decision} /> },
  { title: 'Right', cell: ({ other }) => <Badge decision={other.decision} /> },
  { title: 'Score', number: true, cell: ({ one, other }) => `${score(one.score)} → ${score(other.score)}` },
  {
    title: 'Flags removed',
    wide: true,
    cell: ({ one, other }) => <Codes of={without(one.flags, other.flags)} />,
  },
  {
    title: 'Flags added',
    wide: true,
    cell: ({ one, other }) => <Codes of={without(other.flags, one.flags)} />,
  },
];

const without = (flags: readonly string[], others: readonly string[]) =>
  [...new Set(flags)].filter((flag) => !others.includes(flag));

function Codes({ of }: { readonly of: readonly string[] }) {
  return of.length === 0 ? <span className="faint">none</span> : of.map(codeTitle).join(', ');
}
