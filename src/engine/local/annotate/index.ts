/** Separate entry point, so that plain assessments do not load it. */
export { type Annotations, annotateInto, annotationsFile } from './annotate-into.ts';
export type { AnnotationList } from './annotation-list.ts';
export type { RequestedLayer } from './lane-choice.ts';
