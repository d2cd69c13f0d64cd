import { useNavigate } from '@tanstack/react-router';
import { memo, type PointerEvent, useRef, useState } from 'react';
import { isInside, type MapColours, type MapPoint } from './map-colours.ts';
import type { Selection } from './use-selection.ts';

type Place = readonly [x: number, y: number];

interface MapPlotProps {
  readonly project_id: string;
  readonly points: readonly MapPoint[];
  readonly colours: MapColours;
  readonly selection: Selection;
  /** Receives the point under the pointer; `null` if there is none. */
  readonly onPoint: (point: MapPoint | null) => void;
}

/** Minimum length of a drag that is a lasso, not a click, in px. */
const minLasso_px = 6;

/** Points of a map. A click opens the episode; a drag around points selects them, with Shift in addition. */
export function MapPlot({ project_id, points, colours, selection, onPoint }: MapPlotProps) {
  const navigate = useNavigate();
  const plot = useRef<SVGSVGElement>(null);
  const [lasso, setLasso] = useState<readonly Place[]>([]);
  const start = useRef<Place | null>(null);
  const height = 0.1 + 2 * Math.max(0.35, ...points.map(({ y }) => Math.abs(y)));
  const place = ({ clientX, clientY }: PointerEvent): Place => {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(plot.current!.getScreenCTM()!.inverse());
    return [x, y];
  };
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return;
    start.current = [event.clientX, event.clientY];
    setLasso([place(event)]);
  };
  const move = (event: PointerEvent) => {
    if (start.current === null) return onPoint(pointAt(event, points));
    plot.current?.setPointerCapture(event.pointerId);
    setLasso([...lasso, place(event)]);
  };
  const release = (event: PointerEvent) => {
    if (start.current === null) return;
    const [x, y] = start.current;
    start.current = null;
    setLasso([]);
    const isLasso = Math.hypot(event.clientX - x, event.clientY - y) > minLasso_px || lasso.length > 8;
    if (isLasso) {
      const inside = points.filter((point) => isInside([point.x, point.y], lasso)).map(({ id }) => id);
      return selection.choose(inside, event.shiftKey);
    }
    const point = pointAt({ target: document.elementFromPoint(x, y) }, points);
    if (point === null) return selection.clear();
    void navigate({
      to: '/projects/$projectId/episodes/$episodeId',
      params: { projectId: project_id, episodeId: point.id },
    });
  };
  return (
    <svg
      ref={plot}
      className={selection.episodes.length > 0 ? 'map-plot has-selection' : 'map-plot'}
      viewBox={`-1.05 ${-height / 2} 2.1 ${height}`}
      role="img"
      aria-label={`Map of ${points.length} episodes. The list shows the same episodes.`}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={() => setLasso([])}
      onPointerLeave={() => onPoint(null)}
    >
      {points.map((point) => (
        <Dot
          key={point.id}
          point={point}
          colour={colours.colourOf(point)}
          isSelected={selection.has(point.id)}
        />
      ))}
      {lasso.length > 1 && (
        <polygon className="map-lasso" points={lasso.map((each) => each.join()).join(' ')} />
      )}
    </svg>
  );
}

interface DotProps {
  readonly point: MapPoint;
  readonly colour: string;
  readonly isSelected: boolean;
}

/** A line without length: its round caps are a dot of the same size in px at any size of the map. */
const Dot = memo(({ point: { id, x, y }, colour, isSelected }: DotProps) => (
  <path
    className={isSelected ? 'map-dot is-selected' : 'map-dot'}
    data-id={id}
    d={`M${x} ${y}h0`}
    style={{ stroke: colour }}
  />
));

function pointAt(
  { target }: { readonly target: EventTarget | null },
  points: readonly MapPoint[],
): MapPoint | null {
  const id = target instanceof SVGElement ? target.dataset.id : undefined;
  return points.find((point) => point.id === id) ?? null;
}
