import type { FormEvent } from 'react';
import type { AnnotationSettings } from '#client';
import { useAct } from '../../api/use-act.ts';
import { Action } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';
import { useMay } from '../../shell/session.tsx';

type Layer = AnnotationSettings['layers'][number];

/** One setting of a layer, with the other annotation settings that the project stores. */
export interface KnobRow {
  readonly project_id: string;
  readonly layer: Layer;
  readonly knob: Layer['knobs'][number];
  readonly project_config: AnnotationSettings['project_config'];
}

/** Edits the project's value of one layer setting; an empty field inherits. */
export function KnobForm({ row: { project_id, layer, knob, project_config } }: { readonly row: KnobRow }) {
  const may = useMay('engineer');
  const set = useAct('set_annotation_settings', ['get_annotation_settings']);
  const others = Object.fromEntries(
    Object.entries(project_config[layer.id] ?? {}).filter(([id]) => id !== knob.id),
  );
  const store = (own: Readonly<Record<string, unknown>>) =>
    set.mutate({ project_id, config: { ...project_config, [layer.id]: own } });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('value') ?? '').trim();
    store({ ...others, [knob.id]: asValue(knob, text) });
  };
  return (
    <form className="form-row check-form" onSubmit={submit} aria-label={`${layer.title}: ${knob.id}`}>
      <fieldset className="choices" disabled={!may || set.isPending}>
        <legend className="visually-hidden">{knob.id}</legend>
        <Field knob={knob} />
        <button type="submit" className="button">
          Save
        </button>
      </fieldset>
      {knob.from === 'project' && (
        <Action needs="engineer" busy={set.isPending} onAct={() => store(others)}>
          Reset
        </Action>
      )}
      {!may && <span className="action-why">Requires the engineer role</span>}
      {set.error !== null && <Complaint error={set.error} />}
    </form>
  );
}

type Knob = KnobRow['knob'];

function Field({ knob: { id, type, value, minimum, maximum, values = [] } }: { readonly knob: Knob }) {
  if (type === 'flag' || type === 'choice') {
    const options = type === 'flag' ? ['yes', 'no'] : values;
    const now = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
    return (
      <select name="value" aria-label={id} defaultValue={now}>
        {options.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    );
  }
  if (type === 'names')
    return <input name="value" aria-label={`${id}, comma-separated`} defaultValue={String(value)} />;
  return (
    <input
      name="value"
      type="number"
      aria-label={id}
      step={type === 'integer' ? 1 : 'any'}
      min={minimum}
      max={maximum}
      defaultValue={String(value)}
      required
    />
  );
}

function asValue({ type }: Knob, text: string): unknown {
  if (type === 'flag') return text === 'yes';
  if (type === 'choice') return text;
  if (type !== 'names') return Number(text);
  return text.split(',').flatMap((name) => name.trim() || []);
}
