import { useEffect, useState } from 'react';
import type { PlayClock } from './play-clock.ts';

interface LayerPictureProps {
  readonly clock: PlayClock;
  /** Returns the address of the annotated frame at a time in seconds. */
  readonly urlAt: (time_s: number) => string;
  readonly alt: string;
}

/** The annotated frame of a camera at the time of a clock. While the clock runs, it follows as fast as pictures load. */
export function LayerPicture({ clock, urlAt, alt }: LayerPictureProps) {
  const [picture, setPicture] = useState<{ readonly url: string; readonly isMissing: boolean } | null>(null);
  useEffect(() => {
    let isOpen = true;
    let loaded = '';
    let isLoading = false;
    const load = () => {
      // To hundredths of a second, so that the browser's cache is of use.
      const url = urlAt(Math.round(100 * clock.time_s) / 100);
      if (!isOpen || isLoading || url === loaded) return;
      isLoading = true;
      const image = new Image();
      const end = (isMissing: boolean) => {
        isLoading = false;
        loaded = url;
        if (isOpen) setPicture({ url, isMissing });
        load();
      };
      image.onload = () => end(false);
      image.onerror = () => end(true);
      image.src = url;
    };
    load();
    const unsubscribe = clock.subscribe(load);
    return () => {
      isOpen = false;
      unsubscribe();
    };
  }, [clock, urlAt]);
  if (picture === null) return null;
  if (picture.isMissing) return <p className="player-layer-note">No output of this layer here</p>;
  return <img className="player-layer" src={picture.url} alt={alt} />;
}
