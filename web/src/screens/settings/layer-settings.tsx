import type { AnnotationSettings } from '#client';
import { useAnswer } from '../../api/use-answer.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { From } from './from.tsx';
import { KnobForm, type KnobRow } from './knob-form.tsx';

type Layer = AnnotationSettings['layers'][number];

const modeWords = { in_run: 'in every run', on_demand: 'on demand', off: 'off' } as const;

/** Shows the settings and models of the annotation layers, each with its value and where it was set. */
export function LayerSettings({ project_id }: { readonly project_id: string }) {
  const settings = useAnswer('get_annotation_settings', { project_id });
  return (
    <Loaded of={settings} what="annotation settings">
      {({ layers, models, project_config }) => (
        <>
          <Panel title="Annotation layers" tally="set modes and models on the Overview tab">
            <DataTable
              caption="Layer modes"
              columns={modeColumns}
              rows={layers}
              keyOf={({ id }) => id}
              none="This version has no layers."
            />
          </Panel>
          <Panel title="Models" tally={models.length}>
            <DataTable
              caption="Models by task"
              columns={modelColumns}
              rows={models}
              keyOf={({ id }) => id}
              none="No layer uses a model."
            />
          </Panel>
          <Panel title="Layer settings">
            <DataTable
              caption="Layer settings"
              columns={knobColumns}
              rows={layers.flatMap((layer) =>
                layer.knobs.map((knob) => ({ project_id, layer, knob, project_config })),
              )}
              keyOf={({ layer, knob }) => `${layer.id} ${knob.id}`}
              none="No layer has settings."
            />
          </Panel>
        </>
      )}
    </Loaded>
  );
}

const modeColumns: readonly Column<Layer>[] = [
  { title: 'Layer', cell: ({ title }) => title },
  {
    title: 'Mode',
    cell: ({ mode, mode_from }) => (
      <>
        <b>{modeWords[mode]}</b> <From origin={mode_from} />
      </>
    ),
  },
  {
    title: 'Why',
    wide: true,
    cell: ({ mode_reason, inapplicable_reason }) => (
      <>
        {mode_reason}
        {inapplicable_reason !== null && <span className="row-note">{inapplicable_reason}</span>}
      </>
    ),
  },
];

const modelColumns: readonly Column<AnnotationSettings['models'][number]>[] = [
  { title: 'Used for', cell: ({ title }) => title },
  {
    title: 'Model',
    wide: true,
    cell: ({ chosen: { model, from } }) => (
      <>
        <code>{model}</code> <From origin={from === 'use_case' ? 'use case' : from} />
      </>
    ),
  },
];

const knobColumns: readonly Column<KnobRow>[] = [
  { title: 'Layer', cell: ({ layer }) => layer.title },
  {
    title: 'Setting',
    wide: true,
    cell: ({ knob: { id, summary, moves_cost } }) => (
      <>
        <code>{id}</code> {moves_cost && <span className="faint">affects cost</span>}
        <span className="row-note">{summary}</span>
      </>
    ),
  },
  {
    title: 'Value',
    cell: ({ knob: { value, default: usual, from, unit } }) => (
      <>
        <b>{wordsOf(value)}</b> {unit === 'hz' ? 'Hz' : unit} <From origin={from} />
        {from !== 'default' && <span className="row-note">default {wordsOf(usual)}</span>}
      </>
    ),
  },
  {
    title: 'Project override',
    cell: (row) => <KnobForm key={JSON.stringify(row.knob)} row={row} />,
  },
];

type KnobValue = Layer['knobs'][number]['value'];

function wordsOf(value: KnobValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return value.length === 0 ? 'none' : value.join(', ');
}
