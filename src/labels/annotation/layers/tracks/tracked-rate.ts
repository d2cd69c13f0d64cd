/** Frames that a tracker looks at in a second; objects move too far between fewer. */
export const tracked_hz = 10;
