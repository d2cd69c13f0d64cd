export type { Offer, OfferedTool } from '../offer.ts';
export { bridgeStdio, serveStdio } from './serve-stdio.ts';
