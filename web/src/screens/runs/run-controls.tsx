import type { Run } from '#client';
import { useAct } from '../../api/use-act.ts';
import { Action } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';

const changed = ['list_runs', 'get_run', 'get_project', 'summarise_project'] as const;

/** Buttons to cancel a running run or resume one that ended early; finished work is kept. */
export function RunControls({ run: { id: run_id, status } }: { readonly run: Run }) {
  const cancel = useAct('cancel_run', changed);
  const resume = useAct('resume_run', changed);
  const error = cancel.error ?? resume.error;
  const busy = cancel.isPending || resume.isPending;
  if (status === 'succeeded') return null;
  return (
    <>
      {status === 'queued' || status === 'running' ? (
        <Action needs="engineer" busy={busy} onAct={() => cancel.mutate({ run_id })}>
          Cancel
        </Action>
      ) : (
        <Action needs="engineer" busy={busy} onAct={() => resume.mutate({ run_id })}>
          Resume
        </Action>
      )}
      {error !== null && <Complaint error={error} />}
    </>
  );
}
