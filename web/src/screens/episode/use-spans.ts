import { useMemo } from 'react';
import type { Episode, JsonValue } from '#client';
import { useAnswer } from '../../api/use-answer.ts';
import { spaced } from '../../components/words.ts';
import type { PlayerMark } from '../../player/types.ts';

/** Returns the segments and captions of an episode; empty while loading and without annotations. */
export function useSpans({
  id: episode_id,
  project_id,
}: Episode): Record<'segments' | 'captions', PlayerMark[]> {
  const segments = useLayer('segments', { project_id, episode_id }, 'segments', 'kind');
  const captions = useLayer('captions', { project_id, episode_id }, 'windows', 'text');
  return { segments, captions };
}

type SpanLayer = 'segments' | 'captions';

/** Returns the spans in member `list` of a layer's artifact, labelled by their member `label`. */
function useLayer(
  layer: SpanLayer,
  of: { readonly project_id: string; readonly episode_id: string },
  list: string,
  label: string,
): PlayerMark[] {
  const carried = useAnswer('list_episode_annotations', of);
  const when = carried.data?.items.some((one) => one.layer === layer && one.machine !== null) === true;
  const annotation = useAnswer('get_episode_annotation', { ...of, layer }, { when });
  const artifact = annotation.isPlaceholderData ? undefined : annotation.data?.machine?.artifact?.[list];
  return useMemo(() => marksIn(artifact, label), [artifact, label]);
}

function marksIn(spans: JsonValue | undefined, label: string): PlayerMark[] {
  if (!Array.isArray(spans)) return [];
  return (spans as readonly Record<string, JsonValue>[]).flatMap(({ from_s, to_s, [label]: text }) =>
    typeof from_s === 'number' && typeof to_s === 'number' && typeof text === 'string' && text !== ''
      ? [{ from_s, to_s, label: label === 'kind' ? spaced(text) : text }]
      : [],
  );
}
