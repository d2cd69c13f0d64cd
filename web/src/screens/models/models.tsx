import type { ModelSurface } from '#client';
import { useAct } from '../../api/use-act.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Action } from '../../components/action.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { installedText, number, spaced } from '../../components/words.ts';

/** Screen of the models by task: which is selected, where it was set, and benchmark evidence. */
export function ModelsScreen() {
  const registry = useAnswer('list_models', {});
  const set = useAct('set_models', ['list_models', 'get_annotation_settings']);
  return (
    <Page title="Models" note="Perception models run on your own machines; no data is sent elsewhere.">
      {set.error !== null && <Complaint error={set.error} />}
      <Loaded of={registry} what="the models">
        {({ items, tenant_models }) =>
          items.map((surface) => (
            <Surface
              key={surface.id}
              surface={surface}
              busy={set.isPending}
              onChoose={(model) => set.mutate({ models: { ...tenant_models, [surface.id]: model } })}
            />
          ))
        }
      </Loaded>
    </Page>
  );
}

interface SurfaceProps {
  readonly surface: ModelSurface;
  readonly busy: boolean;
  readonly onChoose: (model: string) => void;
}

type Option = ModelSurface['options'][number];

function Surface({ surface, busy, onChoose }: SurfaceProps) {
  const { title, chosen, options, rejected, selectable } = surface;
  const columns: readonly Column<Option>[] = [
    {
      title: 'Model',
      cell: ({ id, title: name }) => (
        <>
          <span className="row-title">{name}</span>
          <code className="row-note">{id}</code>
        </>
      ),
    },
    {
      title: 'Licence',
      cell: ({ licence, needs_consent }) => (
        <>
          {licence}
          {needs_consent !== null && <span className="row-note">Used only if selected: {needs_consent}</span>}
        </>
      ),
    },
    {
      title: 'Installed',
      cell: ({ installed, weights }) => (
        <>
          {installedText[installed]}
          {installed === 'unusable' && <span className="row-note">{weights?.fault}</span>}
        </>
      ),
    },
    { title: 'Benchmarks', wide: true, cell: (option) => <Evidence {...option} /> },
    {
      title: 'Selection',
      cell: ({ id }) =>
        id === chosen.model ? (
          <span>Selected (set by {spaced(chosen.from)})</span>
        ) : (
          <Action
            needs="admin"
            busy={busy}
            not={selectable ? null : 'Not configurable for this task'}
            onAct={() => onChoose(id)}
          >
            Select
          </Action>
        ),
    },
  ];
  return (
    <Panel
      title={title}
      tally={
        chosen.passed_over === null ? undefined : `${chosen.passed_over} was requested but is not available`
      }
    >
      <DataTable
        caption={title}
        columns={columns}
        rows={options}
        keyOf={({ id }) => id}
        none="No models for this task."
      />
      {rejected.map(({ id, title: name, licence, reason, ...results }) => (
        <p key={id} className="note faint">
          Not offered: {name} ({licence}): {reason}. <Evidence {...results} />
        </p>
      ))}
    </Panel>
  );
}

const sources = { own: '', secondary: ' (reported by others)', measured: ' (measured by Assay)' } as const;

function Evidence({ evidence, no_evidence }: Pick<Option, 'evidence' | 'no_evidence'>) {
  if (evidence.length === 0) return <span className="faint">No results: {no_evidence}</span>;
  return evidence.map(({ benchmark, metric, score, unit, source, note }) => (
    <span key={`${benchmark} ${metric}`} className="evidence" title={note ?? undefined}>
      {benchmark} {metric} {number(score)}
      {unit === 'percent' ? ' %' : unit === 'ratio' ? '' : ` ${unit}`}
      {sources[source]}{' '}
    </span>
  ));
}
