import type { TargetReadiness } from '#client';
import { useAnswer } from '../../api/use-answer.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { requirementTitle, spaced, targetTitle } from '../../components/words.ts';

type Requirement = TargetReadiness['requirements'][number];

const verdicts = {
  ready: 'ready',
  needs_work: 'needs work',
  not_ready: 'not ready',
  not_assessable: 'not assessable',
} as const;
const glyphs = { met: 'accept', not_met: 'reject', not_assessable: 'review' } as const;

/** Readiness of the project for its target, by requirement. */
export function Target({ project_id }: { readonly project_id: string }) {
  const target = useAnswer('get_target_readiness', { project_id });
  return (
    <Loaded of={target} what="target readiness">
      {({ target_profile, verdict, requirements, recommendation }) => (
        <Panel title={`Ready for ${targetTitle(target_profile)}?`} tally={verdicts[verdict]}>
          <DataTable
            caption="Target requirements"
            columns={columns}
            rows={requirements}
            keyOf={({ id }) => id}
            none="This target has no requirements."
          />
          <p className="note advice">
            {recommendation.status === 'recommended'
              ? `Recommended policy class: ${recommendation.title}.`
              : `No policy class is recommended: ${recommendation.reason}.`}
          </p>
        </Panel>
      )}
    </Loaded>
  );
}

const columns: readonly Column<Requirement>[] = [
  {
    title: 'Requirement',
    cell: ({ id, status }) => (
      <>
        <Glyph name={glyphs[status]} /> {requirementTitle(id)}
      </>
    ),
  },
  { title: 'Level', cell: ({ level }) => level },
  { title: 'Status', cell: ({ status }) => spaced(status) },
  { title: 'Reason', wide: true, cell: ({ reason }) => reason },
];
