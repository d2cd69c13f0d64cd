import { useState } from 'react';
import type { AuditEntry } from '#client';
import { useAnswer, useList } from '../../api/use-answer.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Page } from '../../components/page.tsx';
import { count, spaced, time } from '../../components/words.ts';
import { useMay } from '../../shell/session.tsx';

/** Screen of the audit log, with its verification. */
export function AuditScreen() {
  const may = useMay('admin');
  const [action, setAction] = useState('');
  const asked = { limit: 100, ...(action === '' ? {} : { action }) };
  const entries = useList('list_audit', asked, { when: may });
  if (!may)
    return (
      <Page title="Audit log">
        <p className="empty">Only admins can see the audit log.</p>
      </Page>
    );
  const actions = [...new Set([...entries.items.map((entry) => entry.action), action])]
    .filter(Boolean)
    .sort();
  return (
    <Page title="Audit log" note={<Chain />}>
      <label className="form-row">
        Action
        <select value={action} onChange={({ target }) => setAction(target.value)}>
          <option value="">all actions</option>
          {actions.map((each) => (
            <option key={each} value={each}>
              {spaced(each)}
            </option>
          ))}
        </select>
      </label>
      <Loaded of={entries} what="the audit log">
        {(items) => (
          <DataTable
            caption="Audit log"
            columns={columns}
            rows={items}
            keyOf={({ id }) => id}
            none="No entries match."
          />
        )}
      </Loaded>
      <More list={entries} what="entries" />
    </Page>
  );
}

/** Result of the service's verification of the hash chain. */
function Chain() {
  const { data, error } = useAnswer('verify_audit', {});
  if (error !== null) return <Complaint error={error} />;
  if (data === undefined) return 'Verifying the hash chain…';
  if (data.fault !== null)
    return (
      <>
        <Glyph name="reject" /> Audit log verification failed: {data.fault.message}
      </>
    );
  return (
    <>
      <Glyph name="accept" /> {count(data.rows)} entries verified, hash chain intact; latest hash{' '}
      <code>{data.head?.digest.slice(0, 16)}</code>
    </>
  );
}

const columns: readonly Column<AuditEntry>[] = [
  { title: 'No.', number: true, cell: ({ sequence }) => count(sequence) },
  { title: 'When', cell: ({ at }) => time(at) },
  { title: 'Who', cell: ({ actor_name, role }) => `${actor_name} (${role})` },
  { title: 'Action', cell: ({ action }) => spaced(action) },
  {
    title: 'Object',
    wide: true,
    cell: ({ object_id, detail }) => (
      <details>
        <summary>
          <code>{object_id}</code>
        </summary>
        <pre className="detail">{JSON.stringify(detail, null, 2)}</pre>
      </details>
    ),
  },
  { title: 'Request', cell: ({ request_id }) => <code>{request_id}</code> },
];
