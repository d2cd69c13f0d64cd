import type { FormEvent } from 'react';
import { useId, useState } from 'react';
import { AssayApiError, type Source } from '#client';
import { useAct } from '../../api/use-act.ts';
import { Complaint } from '../../components/failure.tsx';
import { Panel } from '../../components/page.tsx';
import { bytes, plural } from '../../components/words.ts';
import { useMay } from '../../shell/session.tsx';
import { isWebPlace, placeProblem } from './place.ts';

/** Form that adds a source by its path or address, with errors at the field. */
export function AddSource({ project_id }: { readonly project_id: string }) {
  const may = useMay('engineer');
  const id = useId();
  const [path, setPath] = useState('');
  /** Problem of the path, as a sentence; shown once the field was left or sent. */
  const [problem, setProblem] = useState<string | null>(null);
  const create = useAct('create_source', ['list_sources']);
  const change = (text: string) => {
    setPath(text);
    if (problem !== null) setProblem(placeProblem(text));
    if (create.error !== null) create.reset();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const wrong = placeProblem(path);
    setProblem(wrong);
    if (wrong !== null) return form.querySelector<HTMLInputElement>('[name=path]')?.focus();
    const typed = String(new FormData(form).get('name') ?? '').trim();
    const name = typed === '' ? {} : { name: typed };
    create.mutate(
      { project_id, kind: 'folder', path: path.trim(), ...name },
      {
        onSuccess: () => {
          form.reset();
          setPath('');
        },
      },
    );
  };
  const isWrong = problem !== null || create.error !== null;
  return (
    <Panel title="Add recordings">
      <p className="advice" id={`${id}-help`}>
        Enter a path on the machine that runs the service (<code>/recordings/day-1</code>), a dataset on
        Hugging Face (<code>hf://OWNER/NAME</code>), a folder of a web server (
        <code>https://HOST/FOLDER/</code>) or a bucket (<code>s3://BUCKET/PREFIX</code>).
      </p>
      <form onSubmit={submit} aria-label="Add a source" className="source-form" noValidate>
        <fieldset className="plain form-row" disabled={!may || create.isPending}>
          <legend className="visually-hidden">Location of the recordings</legend>
          <label className="grows">
            Path or address
            <input
              name="path"
              required
              maxLength={4096}
              placeholder="hf://lerobot/pusht"
              spellCheck={false}
              autoCapitalize="none"
              autoComplete="off"
              value={path}
              aria-invalid={isWrong}
              aria-describedby={`${id}-help ${id}-wrong`}
              onChange={({ target }) => change(target.value)}
              onBlur={() => setProblem(placeProblem(path))}
            />
          </label>
          <label>
            Name (optional)
            <input name="name" maxLength={200} />
          </label>
          <button type="submit" className="button" disabled={path.trim() === ''}>
            Add source
          </button>
        </fieldset>
        <div id={`${id}-wrong`}>
          {problem !== null && (
            <p className="wrong" role="alert">
              {problem}
            </p>
          )}
          {create.error !== null && problem === null && (
            <Complaint error={create.error}>
              <Roots roots={rootsIn(create.error)} onChoose={change} />
            </Complaint>
          )}
        </div>
      </form>
      {!may && <span className="action-why">Requires the engineer role</span>}
      <div role="status">
        {create.isPending && isWebPlace(path) && <p>Listing the files at {path.trim()}…</p>}
        {create.data !== undefined && <p>{addedText(create.data)}</p>}
      </div>
    </Panel>
  );
}

function addedText({ name, files, bytes: size }: Source): string {
  const listed = files === null || size === null ? '' : ` (${plural(files, 'file')}, ${bytes(size)})`;
  return `Added source ${name}${listed}. Plan a run above.`;
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
