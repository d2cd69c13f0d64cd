/** Entry of the script `client/shared.js` of the report: all that its pages and the web application have in common. */

export * from '../views/index.ts';
export * from './index.ts';
