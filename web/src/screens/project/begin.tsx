import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../../api/use-answer.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { StartRun } from '../runs/start-run.tsx';

/** Starts a run over a source after showing its plan and cost. The layer tiles show which layers it runs. */
export function Begin({ project_id }: { readonly project_id: string }) {
  const sources = useList('list_sources', { project_id, limit: 100 });
  const [chosen, choose] = useState<string | null>(null);
  return (
    <Panel title="Start a run">
      <Loaded of={sources} what="the sources">
        {(items) => {
          const ready = items.filter(({ state }) => state === 'ready');
          const source = ready.find(({ id }) => id === chosen) ?? ready[0];
          if (source === undefined)
            return (
              <p className="advice">
                No source is ready to run.{' '}
                <Link to="/projects/$projectId/sources" params={{ projectId: project_id }}>
                  Add a source or upload recordings
                </Link>
                .
              </p>
            );
          return (
            <div className="form-row">
              <label>
                Source
                <select value={source.id} onChange={({ target }) => choose(target.value)}>
                  {ready.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </select>
              </label>
              <StartRun key={source.id} source={source} />
            </div>
          );
        }}
      </Loaded>
    </Panel>
  );
}
