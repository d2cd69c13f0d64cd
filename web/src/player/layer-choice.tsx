import { Failure } from '../components/failure.tsx';
import { ObjectList } from './object-list.tsx';
import type { PlayClock } from './play-clock.ts';
import type { PlayerProps } from './types.ts';

interface LayerChoiceProps extends Pick<PlayerProps, 'layers' | 'layer' | 'onLayer' | 'objects' | 'missing'> {
  readonly clock: PlayClock;
}

/** Chooses the layer that is drawn over the video, with its objects and the reasons of layers without output. */
export function LayerChoice({ clock, layers, layer, onLayer, objects, missing }: LayerChoiceProps) {
  return (
    <>
      {layers.length > 0 && (
        <label className="player-layers">
          Layer over the video
          <select
            value={layer?.id ?? ''}
            onChange={({ target }) => onLayer(layers.find(({ id }) => id === target.value) ?? null)}
          >
            <option value="">None</option>
            {layers.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
      {objects !== null &&
        ('frames' in objects ? (
          <ObjectList clock={clock} frames={objects.frames} />
        ) : (
          <Failure {...objects} />
        ))}
      {missing.length > 0 && (
        <details className="player-missing">
          <summary>
            {missing.length === 1 ? '1 layer without output' : `${missing.length} layers without output`}
          </summary>
          <ul>
            {missing.map(({ title, reason }) => (
              <li key={title}>
                <b>{title}:</b> {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
