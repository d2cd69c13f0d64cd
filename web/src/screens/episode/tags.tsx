import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Episode } from '#client';
import { Complaint } from '../../components/failure.tsx';
import { useMay } from '../../shell/session.tsx';
import { changeTags, taggedOperations, withoutTag, withTag } from './change-tags.ts';

/** Tags of an episode, each a link to all episodes that have it; reviewers add and remove them. */
export function Tags({ episode: { id: episode_id, project_id, tags } }: { readonly episode: Episode }) {
  const may = useMay('reviewer');
  const queries = useQueryClient();
  const update = useMutation({
    mutationFn: (change: Parameters<typeof changeTags>[1]) => changeTags(episode_id, change),
    onSuccess: async (answer) => {
      // An answer that was requested before the change must not replace it.
      await queries.cancelQueries({ queryKey: ['get_episode', { episode_id }] });
      queries.setQueryData(['get_episode', { episode_id }], answer);
      for (const id of taggedOperations) void queries.invalidateQueries({ queryKey: [id] });
    },
  });
  const [text, setText] = useState('');
  const add = (event: FormEvent) => {
    event.preventDefault();
    const tag = text.trim();
    if (tag === '' || update.isPending) return;
    update.mutate(withTag(tag), { onSuccess: () => setText('') });
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
              onClick={() => update.mutate(withoutTag(tag))}
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
