import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Operations } from '#client';
import { useAct } from '../api/use-act.ts';
import { Action } from './action.tsx';
import { Complaint } from './failure.tsx';
import { count, plural } from './words.ts';

interface SaveSliceProps {
  readonly project_id: string;
  /** Query that selects the episodes. */
  readonly query: Operations['create_slice']['input']['query'];
  /** Number of episodes that the query finds now; absent if not known yet. */
  readonly found: number | undefined;
  /** Whether the result is ranked, so that a limit can keep only the best. */
  readonly ranked?: boolean;
}

/**
 * Form that saves the episodes that a query finds now as a named slice, which later runs and reviews do not change.
 */
export function SaveSlice({ project_id, query, found, ranked = false }: SaveSliceProps) {
  const [name, setName] = useState('');
  const [most, setMost] = useState('');
  const create = useAct('create_slice', ['list_slices']);
  const save = () =>
    create.mutate(
      { project_id, name: name.trim(), query, ...(most === '' ? {} : { most: Number(most) }) },
      { onSuccess: () => setName('') },
    );
  return (
    <div className="save">
      <div className="form-row">
        <label>
          Slice name
          <input maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
        </label>
        {ranked && (
          <label>
            Limit to top
            <input
              type="number"
              min={1}
              max={100_000}
              placeholder={found === undefined ? '' : String(found)}
              value={most}
              onChange={({ target }) => setMost(target.value)}
            />
          </label>
        )}
        <Action needs="reviewer" busy={create.isPending} not={whyNot(name, most, found)} onAct={save}>
          Save as slice
        </Action>
      </div>
      {create.error !== null && <Complaint error={create.error} />}
      {create.data !== undefined && (
        <p role="status">
          Saved as{' '}
          <Link
            to="/projects/$projectId/slices/$sliceId"
            params={{ projectId: project_id, sliceId: create.data.id }}
          >
            {create.data.name}
          </Link>
          {`: ${count(create.data.episodes)} of ${plural(create.data.coverage.matched, 'matching episode')}, hash `}
          <code>{create.data.response_hash.slice(0, 12)}</code>. Later runs and reviews do not change a saved
          slice.
        </p>
      )}
    </div>
  );
}

function whyNot(name: string, most: string, found: number | undefined): string | null {
  if (found === 0) return 'No episodes found';
  if (most !== '' && !(Number.isInteger(Number(most)) && Number(most) >= 1))
    return 'The limit must be a whole number, 1 or more';
  return name.trim() === '' ? 'Enter a name' : null;
}
