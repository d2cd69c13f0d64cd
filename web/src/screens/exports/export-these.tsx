import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { AssayApiError, type CreateExportInput, type Export } from '#client';
import { useAct } from '../../api/use-act.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Action } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';
import { plural } from '../../components/words.ts';
import { datasetsIn } from './new-export.tsx';

type Choice = NonNullable<CreateExportInput['episodes']>;
type Format = NonNullable<CreateExportInput['format']>;
type Purpose = NonNullable<CreateExportInput['purpose']>;

interface ExportTheseProps {
  readonly project_id: string;
  readonly chosen: Pick<Choice, 'slice_id' | 'curation_id'>;
  /** Description of the exported episodes. */
  readonly what: string;
}

/**
 * Form that exports the episodes of a slice or plan. If the service refuses because episodes are in a locked slice,
 * it offers alternatives.
 */
export function ExportThese({ project_id, chosen, what }: ExportTheseProps) {
  const rows = useAnswer('get_project_formats', { project_id }).data?.export_formats ?? [];
  const fitting = rows.filter(({ fits }) => fits);
  const [format, setFormat] = useState<string | null>(null);
  const [purpose, setPurpose] = useState<Purpose>('training');
  const create = useAct('create_export', ['list_exports']);
  const taken = format ?? fitting.find(({ recommended }) => recommended)?.id ?? fitting[0]?.id;
  const asked: CreateExportInput = {
    ...{ project_id, purpose, format: taken as Format },
    episodes: { ...chosen, decisions: ['accept', 'review', 'reject'] },
  };
  return (
    <>
      <div className="form-row">
        <label>
          Format
          <select value={taken ?? ''} onChange={({ target }) => setFormat(target.value)}>
            {fitting.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label>
          Purpose
          <select value={purpose} onChange={({ target }) => setPurpose(target.value as Purpose)}>
            <option value="training">Training</option>
            <option value="evaluation">Evaluation</option>
          </select>
        </label>
        <Action
          needs="engineer"
          busy={create.isPending}
          not={taken === undefined ? 'No export format available' : null}
          onAct={() => create.mutate(asked)}
        >
          Export
        </Action>
      </div>
      <p className="advice">Exports {what}.</p>
      {create.data !== undefined && <Made made={create.data} />}
      {create.error !== null && (
        <Refused
          error={create.error}
          asked={create.variables ?? asked}
          busy={create.isPending}
          onStart={create.mutate}
        />
      )}
    </>
  );
}

function Made({ made: { project_id, episodes } }: { readonly made: Export }) {
  return (
    <p role="status">
      Export of {plural(episodes.kept, 'episode')} started. See{' '}
      <Link to="/projects/$projectId/exports" params={{ projectId: project_id }}>
        Exports
      </Link>
      .
    </p>
  );
}

interface RefusedProps {
  readonly error: unknown;
  /** Refused request, on which the alternatives are based. */
  readonly asked: CreateExportInput;
  readonly busy: boolean;
  readonly onStart: (asked: CreateExportInput) => void;
}

function Refused({ error, asked, busy, onStart }: RefusedProps) {
  const count = heldOutIn(error);
  return (
    <Complaint error={error}>
      {count > 0 && (
        <p className="advice">
          A locked slice reserves these episodes for evaluation. A policy trained on them cannot be evaluated
          on them.
        </p>
      )}
      <div className="decide-row">
        {count > 0 && (
          <Action needs="engineer" busy={busy} onAct={() => onStart({ ...asked, purpose: 'evaluation' })}>
            Export for evaluation
          </Action>
        )}
        {datasetsIn(error).map(({ source_id, dataset_path, episodes }) => (
          <Action
            key={`${source_id} ${dataset_path}`}
            needs="engineer"
            busy={busy}
            onAct={() => onStart({ ...asked, source_id, dataset_path })}
          >
            {`Export ${dataset_path} (${plural(episodes, 'episode')})`}
          </Action>
        ))}
      </div>
    </Complaint>
  );
}

/** Returns the number of episodes refused because locked slices reserve them; exports skip them unless nothing else is left. */
const heldOutIn = (error: unknown): number =>
  error instanceof AssayApiError && typeof error.details.held_out === 'number' ? error.details.held_out : 0;
