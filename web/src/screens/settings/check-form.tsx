import type { FormEvent } from 'react';
import type { ProjectReadinessSettings } from '#client';
import { useAct } from '../../api/use-act.ts';
import { Complaint } from '../../components/failure.tsx';
import { useMay } from '../../shell/session.tsx';

interface CheckFormProps {
  readonly project_id: string;
  readonly check: ProjectReadinessSettings['checks'][number];
  readonly bounds: ProjectReadinessSettings['bounds'];
}

/** Form of the project's settings of one check; an empty field inherits. */
export function CheckForm({ project_id, check, bounds }: CheckFormProps) {
  const { id, title, enabled, threshold, weight } = check;
  const may = useMay('engineer');
  const set = useAct('set_readiness_settings', ['get_readiness_settings']);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const numberOf = (name: string) => {
      const text = String(fields.get(name)).trim();
      return text === '' ? null : Number(text);
    };
    const own = {
      enabled: fields.get('enabled') === 'on',
      threshold_offset: numberOf('offset'),
      weight_factor: numberOf('factor'),
    };
    set.mutate({ project_id, checks: { [id]: own } });
  };
  const [least_offset, most_offset] = bounds.threshold_offset;
  const [least_factor, most_factor] = bounds.weight_factor;
  return (
    <form className="form-row check-form" onSubmit={submit} aria-label={title}>
      <fieldset className="choices" disabled={!may}>
        <legend className="visually-hidden">{title}</legend>
        <label>
          <input name="enabled" type="checkbox" defaultChecked={enabled.effective} /> On
        </label>
        <label>
          Offset
          <input
            name="offset"
            type="number"
            step="0.01"
            min={least_offset}
            max={most_offset}
            defaultValue={threshold.stored_offset ?? ''}
          />
        </label>
        <label>
          Weight ×
          <input
            name="factor"
            type="number"
            step="0.1"
            min={least_factor}
            max={most_factor}
            defaultValue={weight.stored_factor ?? ''}
          />
        </label>
        <button type="submit" className="button" disabled={set.isPending}>
          Save
        </button>
      </fieldset>
      {!may && <span className="action-why">Requires the engineer role</span>}
      {set.error !== null && <Complaint error={set.error} />}
    </form>
  );
}
