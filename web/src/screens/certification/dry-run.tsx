import type { CertificationDryRun } from '@assay/client';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count, percent, plural } from '../../components/words.ts';
import { VerdictBadge } from './verdict.tsx';

const page = 50;

/** What a policy would change that nobody has saved: the verdict, coverage, and the episodes one by one. */
export function DryRun({ tried }: { readonly tried: CertificationDryRun }) {
  const { before, after, episodes, changed, changes } = tried;
  const [shown, show] = useState(page);
  return (
    <section aria-label="What it would change" className="dry-run">
      <p role="status">
        <b>{changed === 0 ? 'No verdict' : plural(changed, 'verdict')}</b> of {plural(episodes, 'episode')}{' '}
        would change.
      </p>
      <p className="reason">
        <VerdictBadge verdict={before.verdict} /> → <VerdictBadge verdict={after.verdict} />
      </p>
      <p className="faint">
        Coverage {percent(before.coverage)} → {percent(after.coverage)}
      </p>
      {changes.length > 0 && (
        <DataTable
          caption="Episodes whose verdict would change"
          columns={columns}
          rows={changes.slice(0, shown)}
          keyOf={({ episode }) => episode}
          none=""
        />
      )}
      {changes.length > shown && (
        <button type="button" className="button" onClick={() => show(shown + page)}>
          More of {count(changes.length)}
        </button>
      )}
      {changed > changes.length && <p className="faint">The first {count(changes.length)} are listed.</p>}
    </section>
  );
}

const columns: readonly Column<CertificationDryRun['changes'][number]>[] = [
  { title: 'Episode', wide: true, cell: ({ episode }) => <code>{episode}</code> },
  { title: 'In effect', cell: ({ before }) => <VerdictBadge verdict={before} /> },
  { title: 'Under this policy', cell: ({ after }) => <VerdictBadge verdict={after} /> },
];
