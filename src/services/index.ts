export { type Actor, type Call, requireRole, scopeOf } from './call.ts';
