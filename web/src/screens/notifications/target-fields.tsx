import { useState } from 'react';
import type { NotificationEventType } from '#client';
import { useList } from '../../api/use-answer.ts';
import { eventTitles, eventTypes } from './event-words.ts';

/** Settings of a new webhook or email subscription besides its name and address. */
interface TargetScope {
  readonly project_id?: string;
  readonly events?: NotificationEventType[];
}

/** Returns the fields of project and events, and their values; without a choice they are those of all. */
export function useTargetScope() {
  const [project_id, setProject] = useState('');
  const [chosen, setChosen] = useState<readonly NotificationEventType[]>(eventTypes);
  const projects = useList('list_projects', { limit: 500 });
  const toggle = (type: NotificationEventType) =>
    setChosen(eventTypes.filter((each) => chosen.includes(each) !== (each === type)));
  const value: TargetScope = {
    ...(project_id === '' ? {} : { project_id }),
    ...(chosen.length === eventTypes.length ? {} : { events: [...chosen] }),
  };
  const fields = (
    <>
      <label>
        Project
        <select value={project_id} onChange={({ target }) => setProject(target.value)}>
          <option value="">All projects</option>
          {projects.items.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <fieldset className="choices">
        <legend>Events</legend>
        {eventTypes.map((type) => (
          <label key={type}>
            <input type="checkbox" checked={chosen.includes(type)} onChange={() => toggle(type)} />
            {eventTitles[type]}
          </label>
        ))}
      </fieldset>
    </>
  );
  return { fields, value, not: chosen.length === 0 ? 'Choose at least one event' : null };
}
