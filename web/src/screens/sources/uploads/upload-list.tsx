import { Action } from '../../../components/action.tsx';
import { Complaint, factsOf } from '../../../components/failure.tsx';
import { bytes, plural } from '../../../components/words.ts';
import type { Upload, UploadItem } from './upload.ts';
import { forgetUpload, resumeUploading, stopUpload, useUploads } from './uploads.ts';

/** List of uploads of this page, by file. */
export function UploadList({ project_id }: { readonly project_id: string }) {
  return useUploads(project_id).map((upload) => <UploadFacts key={upload.id} upload={upload} />);
}

/** Maximum number of files shown; active and failed ones come first. */
const most = 60;
const rank = { failed: 0, sending: 1, hashing: 2, waiting: 3, whole: 4 } as const;
const stateWords = {
  waiting: 'queued',
  hashing: 'hashing',
  sending: 'uploading',
  whole: 'uploaded',
  failed: 'failed',
} as const;

function UploadFacts({ upload: { id, name, state, error, items } }: { readonly upload: Upload }) {
  const whole = items.filter((item) => item.state === 'whole').length;
  const shown = [...items].sort((a, b) => rank[a.state] - rank[b.state]).slice(0, most);
  return (
    <section className="upload" aria-label={`Upload of ${name}`}>
      <h3>
        {name} <span className="tally">{sumOf(items)}</span>
      </h3>
      <div className="decide-row">
        <p role="status">{saidOf(state, whole, items.length)}</p>
        {state === 'under_way' && (
          <Action needs="engineer" onAct={() => stopUpload(id)}>
            Stop
          </Action>
        )}
        {state === 'stopped' && (
          <Action needs="engineer" look="main" onAct={() => void resumeUploading(id)}>
            Resume
          </Action>
        )}
        {state !== 'under_way' && (
          <Action needs="engineer" onAct={() => forgetUpload(id)}>
            Remove from view
          </Action>
        )}
      </div>
      {error !== null && <Complaint error={error} />}
      {state !== 'complete' && (
        <ul className="upload-items">
          {shown.map((item) => (
            <Item key={item.path} item={item} />
          ))}
          {items.length > most && <li className="faint">and {plural(items.length - most, 'more file')}</li>}
        </ul>
      )}
    </section>
  );
}

const sumOf = (items: readonly UploadItem[]): string =>
  `${plural(items.length, 'file')}, ${bytes(items.reduce((sum, { file }) => sum + file.size, 0))}`;

function saidOf(state: Upload['state'], whole: number, of: number): string {
  if (state === 'complete') return 'Upload complete. Plan a run above.';
  const far = `${whole} of ${plural(of, 'file')} uploaded`;
  return state === 'stopped' ? `Stopped: ${far}. Resume to send the rest.` : far;
}

function Item({ item: { path, file, state, done_bytes, error } }: { readonly item: UploadItem }) {
  const isMoving = state === 'sending' || state === 'hashing';
  return (
    <li className={state === 'failed' ? 'upload-item is-failed' : 'upload-item'}>
      <code>{path}</code>
      <span className="faint">
        {stateWords[state]}
        {isMoving ? `: ${bytes(done_bytes)} of ${bytes(file.size)}` : `, ${bytes(file.size)}`}
      </span>
      {isMoving && (
        <progress
          aria-label={`${path} ${stateWords[state]}`}
          max={Math.max(1, file.size)}
          value={done_bytes}
        />
      )}
      {error !== null && <span className="is-low">{factsOf(error).message}</span>}
    </li>
  );
}
