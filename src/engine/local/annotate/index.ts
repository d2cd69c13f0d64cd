/** A door of its own: who only assesses does not load it. */
export { type Annotations, annotateInto, annotationsFile } from './annotate-into.ts';
export type { AnnotationList } from './annotation-list.ts';
export type { AskedLayer } from './lane-choice.ts';
