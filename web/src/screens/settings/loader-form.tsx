import { useState } from 'react';
import type { ProjectReadinessSettings } from '#client';
import { useAct } from '../../api/use-act.ts';
import { Action } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Panel } from '../../components/page.tsx';
import { useMay } from '../../shell/session.tsx';

type Loader = ProjectReadinessSettings['loaders'][number];

/** Panel that chooses the training loaders that decide whether the project's datasets load; none is automatic. */
export function LoaderForm({ settings: { project_id, loaders } }: { settings: ProjectReadinessSettings }) {
  const may = useMay('engineer');
  const set = useAct('set_readiness_settings', ['get_readiness_settings']);
  const stored = loaders.filter(({ chosen }) => chosen).map(({ id }) => id);
  const [ids, setIds] = useState<readonly string[]>(stored);
  const isChanged = ids.length !== stored.length || ids.some((id) => !stored.includes(id));
  const toggle = (id: string) =>
    setIds(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]);
  const save = (chosen: readonly string[]) => set.mutate({ project_id, loaders: [...chosen] });
  return (
    <Panel title="Training loaders" tally={stored.length === 0 ? 'automatic' : `${stored.length} chosen`}>
      <p className="advice">
        Libraries that will load the data for training. Their rules decide whether a dataset loads and how
        severe a finding is. If you choose none, Assay checks each dataset against the loader of its format
        and version. If you choose several, the strictest one counts. Datasets that no chosen loader can read
        are checked against the default loader of their format.
      </p>
      <fieldset className="loaders" disabled={!may || set.isPending}>
        <legend className="visually-hidden">Training loaders</legend>
        {[...Map.groupBy(loaders, ({ reads }) => reads)].map(([reads, own]) => (
          <fieldset key={reads} className="choices">
            <legend>{reads}</legend>
            {own.map((loader) => (
              <LoaderBox
                key={loader.id}
                loader={loader}
                checked={ids.includes(loader.id)}
                onToggle={toggle}
              />
            ))}
          </fieldset>
        ))}
      </fieldset>
      <div className="decide-row">
        <Action
          needs="engineer"
          look="main"
          busy={set.isPending}
          not={isChanged ? null : 'No changes'}
          onAct={() => save(ids)}
        >
          Save loaders
        </Action>
        {stored.length > 0 && (
          <Action needs="engineer" busy={set.isPending} onAct={() => save([])}>
            Choose automatically
          </Action>
        )}
      </div>
      <p className="faint">
        After saving, re-evaluate the episodes to apply the new choice. The recordings are not read again.
      </p>
      {set.error !== null && <Complaint error={set.error} />}
    </Panel>
  );
}

interface LoaderBoxProps {
  readonly loader: Loader;
  readonly checked: boolean;
  readonly onToggle: (id: string) => void;
}

function LoaderBox({ loader: { id, title, marker }, checked, onToggle }: LoaderBoxProps) {
  const note = marker === null ? id : `${id}, automatic for datasets with ${marker}`;
  return (
    <label title={note}>
      <input type="checkbox" checked={checked} onChange={() => onToggle(id)} /> {title}
    </label>
  );
}
