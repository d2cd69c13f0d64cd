import { useState } from 'react';
import type { CertificationBounds, CertificationPolicyDifference } from '#client';
import { useAnswer, useList } from '../../api/use-answer.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { measureText, metricTitle, percent, spaced, targetTitle, time } from '../../components/words.ts';

/** Table of the differences between two versions of the policy, by metric. */
export function PolicyVersions({ project_id }: { readonly project_id: string }) {
  const versions = useList('list_certification_policies', { project_id, limit: 100 });
  const [newest] = versions.items;
  const [from, setFrom] = useState(0);
  const [to, setTo] = useState(0);
  const taken = { to: to === 0 ? newest?.policy.version : to, from: from === 0 ? undefined : from };
  const asked = Object.fromEntries(Object.entries(taken).filter(([, value]) => value !== undefined));
  const diff = useAnswer(
    'diff_certification_policies',
    { project_id, ...asked },
    { when: newest !== undefined },
  );
  if (newest === undefined)
    return (
      <Panel title="Versions">
        <p className="empty">No versions saved yet. The default policy of the target applies.</p>
      </Panel>
    );
  const options = versions.items.map(({ policy: { version }, created_at }) => (
    <option key={version} value={version}>
      Version {version}, {time(created_at)}
    </option>
  ));
  return (
    <Panel title="Versions" tally={versions.items.length}>
      <div className="form-row">
        <label>
          Changes from
          <select value={from} onChange={({ target }) => setFrom(Number(target.value))}>
            <option value={0}>the previous version</option>
            {options}
          </select>
        </label>
        <label>
          to
          <select value={to} onChange={({ target }) => setTo(Number(target.value))}>
            <option value={0}>the latest version</option>
            {options}
          </select>
        </label>
      </div>
      <Loaded of={diff} what="the differences">
        {(value) => <Difference difference={value} />}
      </Loaded>
    </Panel>
  );
}

function Difference({ difference }: { readonly difference: CertificationPolicyDifference }) {
  const { from, to, target, metrics } = difference;
  const named = (version: number | null) => (version === null ? 'the default policy' : `version ${version}`);
  return (
    <>
      <p role="status">
        From {named(from)} to {named(to)}
        {target !== null && `: target changed from ${targetTitle(target.from)} to ${targetTitle(target.to)}`}.
      </p>
      <DataTable
        caption="Changed metrics"
        columns={columns}
        rows={metrics}
        keyOf={({ metric }) => metric}
        none="No metrics changed."
      />
    </>
  );
}

type Row = CertificationPolicyDifference['metrics'][number];

const columns: readonly Column<Row>[] = [
  { title: 'Metric', cell: ({ metric }) => metricTitle(metric) },
  { title: 'Before', wide: true, cell: ({ from, to }) => <Bounds bounds={from} beside={to} /> },
  { title: 'After', wide: true, cell: ({ from, to }) => <Bounds bounds={to} beside={from} /> },
];

interface BoundsProps {
  readonly bounds: CertificationBounds | null;
  readonly beside: CertificationBounds | null;
}

/** Thresholds of one version; those that differ from the other version are bold. */
function Bounds({ bounds, beside }: BoundsProps) {
  if (bounds === null) return <span className="faint">not in the policy</span>;
  const sign = bounds.direction === 'lower_is_better' ? '≤' : '≥';
  const parts = [
    ['need', spaced(bounds.need)],
    ['ideal', `ideal ${sign} ${measureText(bounds.ideal, bounds.unit)}`],
    ['review', `review ${sign} ${measureText(bounds.review, bounds.unit)}`],
    ['allowed_share', `${percent(bounds.allowed_share)} outliers allowed`],
    ['source', bounds.source],
  ] as const;
  return parts.map(([name, says]) => (
    <span key={name} className="bound-part">
      {bounds[name] === beside?.[name] ? <span className="faint">{says}</span> : <b>{says}</b>}
    </span>
  ));
}
