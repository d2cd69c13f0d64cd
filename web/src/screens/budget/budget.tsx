import { type FormEvent, useState } from 'react';
import type { Costs } from '#client';
import { useAct } from '../../api/use-act.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Page, Panel } from '../../components/page.tsx';
import { count, duration, time, usd } from '../../components/words.ts';
import { useMay } from '../../shell/session.tsx';

const groups = ['layer', 'project', 'day', 'model'] as const;

/** Screen of the weekly budget: cap, spending, and costs by layer, project, day or model. */
export function BudgetScreen() {
  const budget = useAnswer('get_budget', {}, { every_ms: 5000 });
  const [group_by, group] = useState<(typeof groups)[number]>('layer');
  const costs = useAnswer('get_costs', { group_by });
  return (
    <Page title="Budget and costs">
      <Loaded of={budget} what="the budget">
        {({ cap_usd, spent_usd, reserved_usd, remaining_usd, window }) => (
          <>
            <Facts
              rows={[
                ['Weekly cap', cap_usd === null ? 'none' : usd(cap_usd)],
                ['Spent', usd(spent_usd)],
                ['Reserved for running jobs', usd(reserved_usd)],
                ['Remaining', remaining_usd === null ? 'no limit' : usd(remaining_usd)],
                ['Since', `${time(window.from)} (${window.days}-day window)`],
              ]}
            />
            <Cap key={cap_usd} cap_usd={cap_usd} />
          </>
        )}
      </Loaded>
      <Panel title="Costs">
        <label className="form-row">
          Group by
          <select value={group_by} onChange={({ target }) => group(target.value as typeof group_by)}>
            {groups.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <Loaded of={costs} what="the costs">
          {({ items, total_usd }) => (
            <>
              <DataTable
                caption={`Costs by ${group_by}`}
                columns={columns}
                rows={items}
                keyOf={({ key }) => key ?? 'none'}
                none="No costs in this period."
              />
              <p className="note">Total: {usd(total_usd)}</p>
            </>
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}

const columns: readonly Column<Costs['items'][number]>[] = [
  { title: 'Item', wide: true, cell: ({ key }) => key ?? 'unspecified' },
  { title: 'Charges', number: true, cell: ({ charges }) => count(charges) },
  { title: 'Compute time', number: true, cell: ({ compute_s }) => duration(compute_s) },
  { title: 'Cost', number: true, cell: ({ amount_usd }) => usd(amount_usd) },
];

/** Form of the weekly cap; only admins can change it. */
function Cap({ cap_usd }: { readonly cap_usd: number | null }) {
  const may = useMay('admin');
  const set = useAct('set_budget', ['get_budget']);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = String(new FormData(event.currentTarget).get('cap')).trim();
    set.mutate({ cap_usd: given === '' ? null : Number(given) });
  };
  return (
    <form className="form-row cap" onSubmit={submit}>
      <label>
        Weekly cap in USD (empty: no cap)
        <input name="cap" type="number" min="0" step="any" defaultValue={cap_usd ?? ''} disabled={!may} />
      </label>
      <button type="submit" className="button" disabled={!may || set.isPending}>
        Save cap
      </button>
      {!may && <span className="action-why">Requires the admin role</span>}
      {set.error !== null && <Complaint error={set.error} />}
    </form>
  );
}
