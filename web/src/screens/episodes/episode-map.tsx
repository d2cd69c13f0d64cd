import { useMemo, useState } from 'react';
import type { Operations } from '#client';
import { decisionWords } from '#quality/report/views';
import { useAnswer } from '../../api/use-answer.ts';
import { Loaded } from '../../components/loaded.tsx';
import { plural, score } from '../../components/words.ts';
import { type MapColouring, type MapPoint, mapColourings, mapColours } from './map-colours.ts';
import { MapPlot } from './map-plot.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useSelection } from './use-selection.ts';

type MapInput = Operations['map_episodes']['input'];
type EmbeddingMap = Operations['map_episodes']['answer'];

/** Time in ms for which a map is not fetched again. */
const stale_ms = 60_000;
const descriptorTitles = { motion: 'Motion', picture: 'Images' } as const;
const colouringTitles = { decision: 'Decision', score: 'Score', task: 'Task' } as const;

/** Episodes as points of a plane: similar ones are near each other. */
export function EpisodeMap(input: Omit<MapInput, 'descriptor'>) {
  const [descriptor, setDescriptor] = useState<keyof typeof descriptorTitles>('motion');
  const [colouring, setColouring] = useState<MapColouring>('decision');
  const map = useAnswer('map_episodes', { ...input, descriptor }, { stale_ms });
  return (
    <section className="episode-map" aria-label="Map of episodes">
      <div className="form-row">
        <label>
          Similarity of
          <select
            value={descriptor}
            onChange={({ target }) => setDescriptor(target.value as typeof descriptor)}
          >
            {Object.entries(descriptorTitles).map(([id, title]) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label>
          Colour
          <select value={colouring} onChange={({ target }) => setColouring(target.value as MapColouring)}>
            {mapColourings.map((id) => (
              <option key={id} value={id}>
                {colouringTitles[id]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Loaded of={map} what="the map">
        {(value) => <MapView project_id={input.project_id} map={value} colouring={colouring} />}
      </Loaded>
    </section>
  );
}

interface MapViewProps {
  readonly project_id: string;
  readonly map: EmbeddingMap;
  readonly colouring: MapColouring;
}

function MapView({ project_id, map, colouring }: MapViewProps) {
  const { points, says, not_mapped, more } = map;
  const colours = useMemo(() => mapColours(points, colouring), [points, colouring]);
  const selection = useSelection(points, project_id);
  const [point, setPoint] = useState<MapPoint | null>(null);
  return (
    <>
      <SelectionBar selection={selection} />
      {points.length > 0 && (
        <>
          <MapPlot {...{ project_id, points, colours, selection }} onPoint={setPoint} />
          <ul className="map-legend" aria-label="Colours">
            {colours.legend.map(({ text, colour }) => (
              <li key={text}>
                <span className="map-swatch" style={{ background: colour }} /> {text}
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="map-point">
        {point === null
          ? 'Click a point to open its episode, or draw around points to select them.'
          : textOf(point)}
      </p>
      <p className="faint">
        Compared: {says} Distances are approximate: the map shows only the first two principal components of
        all differences.
        {more && ` Only the newest ${plural(points.length, 'episode')} are shown.`}
      </p>
      {not_mapped.map(({ reason, episodes }) => (
        <p key={reason} className="faint">
          {plural(episodes, 'episode')} not on the map: {reason}.
        </p>
      ))}
    </>
  );
}

const textOf = ({ name, decision, score: value, task }: MapPoint): string =>
  [name, decisionWords[decision], value === null ? 'not scored' : `score ${score(value)}`, task]
    .filter((text) => text !== null)
    .join(' · ');
