import { useState } from 'react';
import type { CertificationDryRun } from '#client';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count, percent, plural } from '../../components/words.ts';
import { VerdictBadge } from './verdict.tsx';

const page = 50;

/** Effect of an unsaved policy on the verdict, the coverage and each episode. */
export function DryRun({ tried }: { readonly tried: CertificationDryRun }) {
  const { before, after, episodes, changed, changes } = tried;
  const [shown, show] = useState(page);
  return (
    <section aria-label="Dry run result" className="dry-run">
      <p role="status">
        <b>{changed === 0 ? 'None' : count(changed)}</b> of {plural(episodes, 'episode')} would get a
        different verdict.
      </p>
      <p className="reason">
        <VerdictBadge verdict={before.verdict} /> → <VerdictBadge verdict={after.verdict} />
      </p>
      <p className="faint">
        Coverage {coverageText(before.coverage)} → {coverageText(after.coverage)}
      </p>
      {changes.length > 0 && (
        <DataTable
          caption="Episodes with a different verdict"
          columns={columns}
          rows={changes.slice(0, shown)}
          keyOf={({ episode }) => episode}
          none=""
        />
      )}
      {changes.length > shown && (
        <button type="button" className="button" onClick={() => show(shown + page)}>
          Show more ({count(changes.length)} in total)
        </button>
      )}
      {changed > changes.length && (
        <p className="faint">Only the first {count(changes.length)} are listed.</p>
      )}
    </section>
  );
}

const coverageText = (coverage: number | null) => (coverage === null ? '–' : percent(coverage));

const columns: readonly Column<CertificationDryRun['changes'][number]>[] = [
  { title: 'Episode', wide: true, cell: ({ episode }) => <code>{episode}</code> },
  { title: 'Current policy', cell: ({ before }) => <VerdictBadge verdict={before} /> },
  { title: 'New policy', cell: ({ after }) => <VerdictBadge verdict={after} /> },
];
