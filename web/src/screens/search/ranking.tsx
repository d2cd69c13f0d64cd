import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId } from 'react';
import { useAnswer } from '../../api/use-answer.ts';
import { changed, type SearchAddress } from './search-address.ts';

const route = getRouteApi('/projects/$projectId/search');

type RankedBy = 'newest' | 'about' | 'like';

/** Ranking controls: by age, by text, or by similarity to an episode or a segment of it. */
export function Ranking() {
  const address = route.useSearch();
  const navigate = useNavigate({ from: '/projects/$projectId/search' });
  const set = (change: SearchAddress) =>
    void navigate({ search: (before: SearchAddress) => changed(before, change) });
  const rankedBy: RankedBy =
    address.like !== undefined ? 'like' : address.about !== undefined ? 'about' : 'newest';
  return (
    <div className="form-row">
      <About
        key={`${address.about} ${address.match}`}
        address={address}
        onRank={(about, match) => set({ ...unranked, about, match })}
      />
      {rankedBy === 'like' && address.like !== undefined && (
        <Like key={`${address.like} ${address.from_s} ${address.to_s}`} address={address} onSet={set} />
      )}
      {rankedBy !== 'newest' && (
        <button type="button" className="quiet" onClick={() => set(unranked)}>
          Newest first
        </button>
      )}
    </div>
  );
}

/** Removes every ranking. */
const unranked = {
  ...{ about: undefined, match: undefined, like: undefined, by: undefined },
  ...{ from_s: undefined, to_s: undefined },
} as const;

interface AboutProps {
  readonly address: SearchAddress;
  readonly onRank: (about: string | undefined, match: SearchAddress['match']) => void;
}

function About({ address: { about, match }, onRank }: AboutProps) {
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = String(fields.get('about') ?? '').trim();
    const kept = fields.get('match') === 'words' ? 'words' : undefined;
    onRank(text === '' ? undefined : text, text === '' ? undefined : kept);
  };
  return (
    <form className="about" onSubmit={submit}>
      <label htmlFor={id}>Rank by task and caption text</label>
      <span className="field">
        <input id={id} name="about" type="search" maxLength={1000} defaultValue={about} autoComplete="off" />
        <select name="match" aria-label="Compare" defaultValue={match ?? 'meaning'}>
          <option value="meaning">by meaning</option>
          <option value="words">by words</option>
        </select>
        <button type="submit" className="button is-main">
          Rank
        </button>
      </span>
    </form>
  );
}

interface LikeProps {
  readonly address: SearchAddress;
  readonly onSet: (change: SearchAddress) => void;
}

function Like({ address: { like = '', by = 'motion', from_s, to_s }, onSet }: LikeProps) {
  const episode = useAnswer('get_episode', { episode_id: like });
  const most_s = episode.data?.duration_s;
  const moment = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const secondsOf = (name: string) => {
      const text = String(fields.get(name) ?? '').trim();
      return text === '' ? undefined : Number(text);
    };
    onSet({ from_s: secondsOf('from_s'), to_s: secondsOf('to_s') });
  };
  return (
    <form className="like" onSubmit={moment} aria-label="Rank by similarity">
      <label>
        Similar to <b>{episode.data?.name ?? '…'}</b> by
        <select value={by} onChange={({ target }) => onSet({ by: target.value })}>
          <option value="motion">motion</option>
          <option value="picture">images</option>
        </select>
      </label>
      <label>
        From (s)
        <input name="from_s" type="number" min={0} max={most_s} step="any" defaultValue={from_s} />
      </label>
      <label>
        To (s)
        <input name="to_s" type="number" min={0} max={most_s} step="any" defaultValue={to_s} />
      </label>
      <button type="submit" className="button">
        Use this segment
      </button>
    </form>
  );
}
