import type { StreamFacts } from '#client';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/page.tsx';
import { count, number } from '../../components/words.ts';

/** Table of recorded streams with their clocks. */
export function Streams({ streams }: { readonly streams: readonly StreamFacts[] }) {
  return (
    <Panel title="Streams" tally={streams.length}>
      <DataTable
        caption="Streams"
        columns={columns}
        rows={streams}
        keyOf={({ id }) => id}
        none="No streams recorded."
      />
    </Panel>
  );
}

const rate = (hz: number | null): string => (hz === null ? '–' : `${number(hz)} Hz`);

const columns: readonly Column<StreamFacts>[] = [
  { title: 'Stream', cell: ({ id }) => <code>{id}</code> },
  { title: 'Role', cell: ({ role }) => role },
  { title: 'Shape', cell: ({ shape }) => shape.join(' × ') },
  { title: 'Unit', cell: ({ unit }) => <span title={unit.reason}>{unit.unit}</span> },
  { title: 'Samples', number: true, cell: ({ sample_count }) => count(sample_count) },
  { title: 'Measured rate', number: true, cell: ({ measured_rate_hz }) => rate(measured_rate_hz) },
  {
    title: 'Clock',
    wide: true,
    cell: ({ clock }) => (clock === null ? 'none' : `${clock.provenance}: ${clock.reason}`),
  },
];
