import type { FormEvent } from 'react';
import { useState } from 'react';
import { AssayApiError } from '#client';
import { useAct } from '../../api/use-act.ts';
import { Complaint } from '../../components/failure.tsx';
import { Panel } from '../../components/page.tsx';
import { useMay } from '../../shell/session.tsx';

/** Form that adds a source that the service can read: a folder on its machine or a bucket prefix. */
export function AddSource({ project_id }: { readonly project_id: string }) {
  const may = useMay('engineer');
  const [kind, setKind] = useState<'folder' | 's3'>('folder');
  const [path, setPath] = useState('');
  const create = useAct('create_source', ['list_sources']);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const text = (name: string) => String(fields.get(name) ?? '').trim();
    const name = text('name') === '' ? {} : { name: text('name') };
    const place =
      kind === 'folder'
        ? ({ kind, path: path.trim() } as const)
        : ({ kind, bucket: text('bucket'), prefix: text('prefix') } as const);
    create.mutate(
      { project_id, ...name, ...place },
      {
        onSuccess: () => {
          form.reset();
          setPath('');
        },
      },
    );
  };
  return (
    <Panel title="Add a folder or bucket">
      <form onSubmit={submit} aria-label="Add a source">
        <fieldset className="plain form-row" disabled={!may || create.isPending}>
          <legend className="visually-hidden">Location of the recordings</legend>
          <label>
            Location
            <select value={kind} onChange={({ target }) => setKind(target.value as typeof kind)}>
              <option value="folder">Folder or file on the service’s machine</option>
              <option value="s3">S3 bucket</option>
            </select>
          </label>
          {kind === 'folder' ? (
            <label className="grows">
              Path
              <input
                name="path"
                required
                maxLength={4096}
                placeholder="/recordings/day-1"
                spellCheck={false}
                value={path}
                onChange={({ target }) => setPath(target.value)}
              />
            </label>
          ) : (
            <>
              <label>
                Bucket
                <input name="bucket" required maxLength={63} spellCheck={false} />
              </label>
              <label className="grows">
                Prefix (empty: whole bucket)
                <input name="prefix" maxLength={900} spellCheck={false} />
              </label>
            </>
          )}
          <label>
            Name (optional)
            <input name="name" maxLength={200} />
          </label>
          <button type="submit" className="button">
            Add source
          </button>
        </fieldset>
      </form>
      {!may && <span className="action-why">Requires the engineer role</span>}
      {create.error !== null && (
        <Complaint error={create.error}>
          <Roots roots={rootsIn(create.error)} onChoose={setPath} />
        </Complaint>
      )}
      {create.data !== undefined && <p role="status">Added source {create.data.name}. Plan a run above.</p>}
    </Panel>
  );
}

interface RootsProps {
  readonly roots: readonly string[];
  readonly onChoose: (path: string) => void;
}

/** Buttons for the folders that the service may read, shown after it refused another. */
function Roots({ roots, onChoose }: RootsProps) {
  if (roots.length === 0) return null;
  return (
    <div className="decide-row">
      {roots.map((root) => (
        <button key={root} type="button" className="button" onClick={() => onChoose(root)}>
          Use {root}
        </button>
      ))}
    </div>
  );
}

const rootsIn = (error: unknown): readonly string[] =>
  error instanceof AssayApiError && Array.isArray(error.details.allowed_roots)
    ? error.details.allowed_roots.filter((root) => typeof root === 'string')
    : [];
