import type { FormEvent } from 'react';
import { useAct } from '../../api/use-act.ts';
import { Complaint } from '../../components/failure.tsx';
import { count, plural } from '../../components/words.ts';
import { useMay } from '../../shell/session.tsx';
import type { EpisodeFilter } from './filter.ts';

interface SaveSliceProps {
  readonly project_id: string;
  readonly filter: Omit<EpisodeFilter, 'sort' | 'view'>;
  /** How many pass the filter now. */
  readonly episodes: number | undefined;
}

/** Keeps the episodes that pass the filter now, under a name: later runs and decisions change nothing of it. */
export function SaveSlice({ project_id, filter, episodes }: SaveSliceProps) {
  const may = useMay('reviewer');
  const save = useAct('create_slice', ['list_slices']);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = String(new FormData(form).get('name')).trim();
    save.mutate({ project_id, name, query: { filter } }, { onSuccess: () => form.reset() });
  };
  return (
    <details className="save-slice">
      <summary>Save as a slice</summary>
      <form onSubmit={submit} aria-label="Save as a slice">
        <fieldset className="plain form-row" disabled={!may || save.isPending}>
          <legend className="visually-hidden">A slice of what is shown</legend>
          <label>
            Name
            <input name="name" required maxLength={200} autoComplete="off" />
          </label>
          <button type="submit" className="button" disabled={episodes === 0}>
            {episodes === undefined ? 'Save' : `Save ${plural(episodes, 'episode')}`}
          </button>
        </fieldset>
      </form>
      {!may && <span className="action-why">Needs the role reviewer</span>}
      {save.error !== null && <Complaint error={save.error} />}
      {save.data !== undefined && (
        <p role="status">
          Saved as {save.data.name}: {count(save.data.episodes)} of {count(save.data.coverage.matched)},{' '}
          <code>{save.data.response_hash.slice(0, 12)}</code>. It does not change any more.
        </p>
      )}
    </details>
  );
}
