import sharp from 'sharp';

/** One picture at a time on one thread: the service runs as many children as there is room for. */
sharp.cache(false);
sharp.concurrency(1);

export { sharp };
