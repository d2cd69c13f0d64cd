import { type ReactNode, useState } from 'react';
import type { NotificationEventType } from '#client';
import { useAnswer } from '../../api/use-answer.ts';
import { Action } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';
import { eventTitles } from './event-words.ts';

interface TargetItemProps {
  readonly name: string;
  readonly address: string;
  readonly project_id: string | null;
  readonly events: readonly NotificationEventType[] | null;
  readonly enabled: boolean;
  /** State that needs attention, such as why it was disabled. */
  readonly note?: string | null;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onTest: () => void;
  readonly onEnable: (enabled: boolean) => void;
  readonly onDelete: () => void;
  /** Additional actions, and their result. */
  readonly more?: ReactNode;
  readonly result?: ReactNode;
  readonly deliveries: ReactNode;
}

/** A webhook or email subscription with its actions; its deliveries open below. */
export function TargetItem(props: TargetItemProps) {
  const { name, address, project_id, events, enabled, note = null, busy, error } = props;
  const [open, setOpen] = useState<'deliveries' | 'delete' | null>(null);
  const toggle = (part: 'deliveries' | 'delete') => setOpen(open === part ? null : part);
  return (
    <li>
      <div>
        <b>{name}</b> {!enabled && <span className="tally">disabled</span>}
        <div>
          <code>{address}</code>
        </div>
        <div className="faint">
          {project_id === null ? 'All projects' : <ProjectName project_id={project_id} />}
          {' · '}
          {events === null ? 'all events' : events.map((type) => eventTitles[type]).join(', ')}
        </div>
        {note !== null && <p className="advice">{note}</p>}
      </div>
      <div className="decide-row">
        <Action
          needs="admin"
          busy={busy}
          onAct={() => {
            props.onTest();
            setOpen('deliveries');
          }}
        >
          Send test
        </Action>
        <Action needs="admin" pressed={open === 'deliveries'} onAct={() => toggle('deliveries')}>
          Deliveries
        </Action>
        <Action needs="admin" busy={busy} onAct={() => props.onEnable(!enabled)}>
          {enabled ? 'Disable' : 'Enable'}
        </Action>
        {props.more}
        <Action needs="admin" pressed={open === 'delete'} onAct={() => toggle('delete')}>
          Delete
        </Action>
      </div>
      {props.result}
      {error !== null && <Complaint error={error} />}
      {open === 'delete' && (
        <div className="asks" role="status">
          <p>Deletes {name} and the list of its deliveries. Deliveries that are not sent yet are lost.</p>
          <Action needs="admin" look="danger" busy={busy} onAct={props.onDelete}>
            Delete {name}
          </Action>
        </div>
      )}
      {open === 'deliveries' && props.deliveries}
    </li>
  );
}

function ProjectName({ project_id }: { readonly project_id: string }) {
  return useAnswer('get_project', { project_id }).data?.name ?? '…';
}
