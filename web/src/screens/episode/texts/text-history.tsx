import type { Episode } from '#client';
import { useList } from '../../../api/use-answer.ts';
import { Failure } from '../../../components/failure.tsx';
import { More } from '../../../components/more.tsx';
import { time } from '../../../components/words.ts';
import { useActorName } from '../../../shell/session.tsx';
import type { DenseText } from './use-dense-text.ts';

interface TextHistoryProps {
  readonly episode: Episode;
  readonly text: DenseText;
}

/** List of all versions of the text, newest first, with the generated text last. */
export function TextHistory({
  episode: { project_id, id: episode_id },
  text: { machine },
}: TextHistoryProps) {
  const edits = useList(
    'list_annotation_edits',
    { project_id, episode_id, layer: 'dense_text', limit: 20 },
    { every_ms: 5000 },
  );
  const nameOf = useActorName();
  const machineText = machine?.artifact?.text;
  if (edits.error !== null) return <Failure error={edits.error} onRetry={() => void edits.refetch()} />;
  if (edits.items.length === 0 && typeof machineText !== 'string') return null;
  return (
    <details className="text-history">
      <summary>Text history</summary>
      <ul>
        {edits.items.map(({ id, text, created_by, created_at }) => (
          <li key={id}>
            <p className="faint">
              <code>{nameOf(created_by)}</code> {time(created_at)}
            </p>
            <p className="message-text">{text}</p>
          </li>
        ))}
        {machine !== null && typeof machineText === 'string' && (
          <li>
            <p className="faint">
              {machine.model ?? 'Generated without a model'} {time(machine.produced_at)}
            </p>
            <p className="message-text">{machineText}</p>
          </li>
        )}
      </ul>
      <More list={edits} what="versions" />
    </details>
  );
}
