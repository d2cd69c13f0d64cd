import type { SearchAnswer } from '@assay/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct } from '../../api/use-act.ts';
import { Action } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';
import { plural } from '../../components/words.ts';

interface SaveSliceProps {
  readonly project_id: string;
  readonly answer: SearchAnswer;
}

/** Keeps what a search finds as a slice that does not change; of a ranking so many of the first. */
export function SaveSlice({ project_id, answer: { query, ranked_by, coverage } }: SaveSliceProps) {
  const [name, setName] = useState('');
  const [most, setMost] = useState('');
  const create = useAct('create_slice', ['list_slices']);
  const found = ranked_by === null ? coverage.matched : coverage.ranked;
  const save = () =>
    create.mutate(
      { project_id, name: name.trim(), query, ...(most === '' ? {} : { most: Number(most) }) },
      { onSuccess: () => setName('') },
    );
  return (
    <div className="save">
      <div className="form-row">
        <label>
          Name of the slice
          <input maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
        </label>
        {ranked_by !== null && (
          <label>
            The best, at most
            <input
              type="number"
              min={1}
              max={100_000}
              placeholder={String(found)}
              value={most}
              onChange={({ target }) => setMost(target.value)}
            />
          </label>
        )}
        <Action needs="reviewer" busy={create.isPending} not={whyNot(name, most, found)} onAct={save}>
          Save as a slice
        </Action>
      </div>
      {create.error !== null && <Complaint error={create.error} />}
      {create.data !== undefined && (
        <p role="status">
          Saved{' '}
          <Link
            to="/projects/$projectId/slices/$sliceId"
            params={{ projectId: project_id, sliceId: create.data.id }}
          >
            {create.data.name}
          </Link>{' '}
          with {plural(create.data.episodes, 'episode')}.
        </p>
      )}
    </div>
  );
}

function whyNot(name: string, most: string, found: number): string | null {
  if (found === 0) return 'Nothing was found';
  if (most !== '' && !(Number.isInteger(Number(most)) && Number(most) >= 1)) return 'At least one episode';
  return name.trim() === '' ? 'Give it a name' : null;
}
