import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Episode } from '#client';
import { useAct } from '../../api/use-act.ts';
import { Complaint } from '../../components/failure.tsx';
import { useMay } from '../../shell/session.tsx';

/** Operations whose answers contain tags. */
export const taggedOperations = ['get_episode', 'list_episodes', 'summarise_project'] as const;

/** Tags of an episode, each a link to all episodes that have it; reviewers add and remove them. */
export function Tags({ episode: { id: episode_id, project_id, tags } }: { readonly episode: Episode }) {
  const may = useMay('reviewer');
  const update = useAct('update_episode', taggedOperations);
  const [text, setText] = useState('');
  const queries = useQueryClient();
  const set = (next: readonly string[], onDone?: () => void) =>
    update.mutate(
      { episode_id, tags: [...next] },
      {
        onSuccess: (answer) => {
          // The next change starts from these tags, not from those before.
          queries.setQueryData(['get_episode', { episode_id }], answer);
          onDone?.();
        },
      },
    );
  const add = (event: FormEvent) => {
    event.preventDefault();
    const tag = text.trim();
    if (tag === '' || update.isPending) return;
    set([...tags, tag], () => setText(''));
  };
  if (tags.length === 0 && !may) return null;
  return (
    <div className="tags">
      {tags.map((tag) => (
        <span key={tag} className="tag">
          <Link
            to="/projects/$projectId/episodes"
            params={{ projectId: project_id }}
            search={{ tags: [tag] }}
          >
            {tag}
          </Link>
          {may && (
            <button
              type="button"
              className="quiet"
              aria-label={`Remove the tag ${tag}`}
              disabled={update.isPending}
              onClick={() => set(tags.filter((each) => each !== tag))}
            >
              ×
            </button>
          )}
        </span>
      ))}
      {may && (
        <form onSubmit={add}>
          <input
            className="tag-field"
            aria-label="New tag"
            placeholder="Add tag"
            maxLength={60}
            readOnly={update.isPending}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </form>
      )}
      {update.error !== null && <Complaint error={update.error} />}
    </div>
  );
}
