export type { Offer, OfferedTool } from '../protocol/offer.ts';
export { bridgeStdio, serveStdio } from './serve-stdio.ts';
