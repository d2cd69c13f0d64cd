import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Slice } from '#client';
import { useAct } from '../../api/use-act.ts';
import { Action } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';

const changed = ['get_slice', 'list_slices'] as const;

/** Buttons to lock a slice for evaluation, after an explanation, and to delete it. */
export function SliceControls({ slice }: { readonly slice: Slice }) {
  const { id: slice_id, project_id, locked, episodes } = slice;
  const navigate = useNavigate();
  const [asks, ask] = useState<'promote' | 'delete' | null>(null);
  const promote = useAct('promote_slice', changed);
  const remove = useAct('delete_slice', changed);
  const error = promote.error ?? remove.error;
  const leave = () => void navigate({ to: '/projects/$projectId/slices', params: { projectId: project_id } });
  return (
    <div className="decide">
      <div className="decide-row">
        <Action
          needs="reviewer"
          pressed={asks === 'promote'}
          not={locked ? 'Already locked for evaluation' : episodes === 0 ? 'The slice is empty' : null}
          onAct={() => ask(asks === 'promote' ? null : 'promote')}
        >
          Lock for evaluation
        </Action>
        <Action
          needs={locked ? 'admin' : 'reviewer'}
          pressed={asks === 'delete'}
          onAct={() => ask(asks === 'delete' ? null : 'delete')}
        >
          Delete
        </Action>
      </div>
      {asks === 'promote' && !locked && (
        <div className="asks" role="status">
          <p>
            Locking reserves these episodes for evaluation: a training export that includes any of them fails
            and lists them. Evaluation exports still work. A lock cannot be undone; only an admin can delete
            the slice.
          </p>
          <Action
            needs="reviewer"
            look="main"
            busy={promote.isPending}
            onAct={() => promote.mutate({ project_id, slice_id }, { onSuccess: () => ask(null) })}
          >
            Lock slice
          </Action>
        </div>
      )}
      {asks === 'delete' && (
        <div className="asks" role="status">
          <p>
            {locked
              ? 'The episodes of this slice can be exported for training again. The audit log will record the deletion.'
              : 'Deletes only the slice; its episodes stay in the project.'}
          </p>
          <Action
            needs={locked ? 'admin' : 'reviewer'}
            look="danger"
            busy={remove.isPending}
            onAct={() => remove.mutate({ project_id, slice_id }, { onSuccess: leave })}
          >
            Delete slice
          </Action>
        </div>
      )}
      {error !== null && <Complaint error={error} />}
    </div>
  );
}
