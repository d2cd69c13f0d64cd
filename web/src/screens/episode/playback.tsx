import { type Episode, requestOf } from '@assay/client';
import { useMemo } from 'react';
import { useAnswer } from '../../api/use-answer.ts';
import { Panel } from '../../components/page.tsx';
import { codeTitle } from '../../components/words.ts';
import { Player } from '../../player/player.tsx';
import type { FilmSpan } from '../../player/types.ts';
import { Cameras } from './cameras.tsx';
import { useSpans } from './use-spans.ts';

/** The episode as it went on: cameras in step with signals and what was flagged; of a lone picture the picture. */
export function Playback({ episode }: { readonly episode: Episode }) {
  const { id: episode_id, duration_s, flag_details } = episode;
  const playback = useAnswer('get_playback', { episode_id }, { when: duration_s > 0 });
  const spans = useSpans(episode);
  const flags = useMemo(
    () =>
      flag_details.flatMap(({ code, severity, marks }) =>
        marks.map(({ stream, from_s, to_s }) => ({
          ...{ from_s, to_s, severity },
          label: `${codeTitle(code)}, ${stream}`,
        })),
      ),
    [flag_details],
  );
  if (duration_s === 0 || playback.isError) return <Cameras episode={episode} />;
  // What is kept of the episode before is not shown as this one's.
  if (playback.data === undefined || playback.isPlaceholderData) return null;
  const { cameras, signals } = playback.data;
  if (cameras.length === 0 && signals.length === 0) return null;
  const spanUrl = ({ stream_id, ...span }: FilmSpan) =>
    requestOf('get_video', { episode_id, stream_id, ...span }).path;
  return (
    <Panel title="Playback">
      <Player {...{ cameras, signals, duration_s, flags, spanUrl, ...spans }} key={episode_id} />
    </Panel>
  );
}
