import type { LayerId } from '#client';
import { useAct } from '../../api/use-act.ts';
import { Action } from '../../components/action.tsx';
import { estimateInWords } from '../../components/estimate.ts';
import { Complaint } from '../../components/failure.tsx';
import { count, plural, usd } from '../../components/words.ts';

interface RunLayerProps {
  readonly project_id: string;
  readonly layer: LayerId;
  /** Reason why a job cannot be queued; null if it can. */
  readonly not: string | null;
}

/** Runs a layer on the episodes that lack it, after showing the preview with costs for confirmation. */
export function RunLayer({ project_id, layer, not }: RunLayerProps) {
  const preview = useAct('preview_annotation_job', []);
  const enqueue = useAct('enqueue_annotation_job', ['get_annotation_status', 'list_annotation_jobs']);
  const error = enqueue.error ?? preview.error;
  if (preview.data === undefined)
    return (
      <>
        <Action
          needs="engineer"
          grouped
          busy={preview.isPending}
          not={not}
          onAct={() => preview.mutate({ project_id, layer })}
        >
          Run now…
        </Action>
        {error !== null && <Complaint error={error} />}
      </>
    );
  const { episodes, estimate, estimate_usd, narrowed_from, job_id } = preview.data;
  const time = estimate === null ? '' : `, ${estimateInWords(estimate)}`;
  const run = () =>
    enqueue.mutate(
      { project_id, layer },
      { onSuccess: () => preview.reset(), onError: () => preview.reset() },
    );
  return (
    <div className="run-layer" role="status">
      <p>
        {job_id === null
          ? `${narrowed_from === null ? '' : `${count(episodes)} of `}${plural(narrowed_from ?? episodes, 'episode')}, about ${usd(estimate_usd)}${time}.`
          : 'A job for this layer is already running.'}
        {narrowed_from !== null && ' The others already have this layer.'}
      </p>
      <span className="decide-row">
        <Action needs="engineer" look="main" busy={enqueue.isPending} onAct={run}>
          Run layer
        </Action>
        <Action needs="viewer" onAct={() => preview.reset()}>
          Cancel
        </Action>
      </span>
    </div>
  );
}
