export { certifyInto } from './certify-into.ts';
export { type WrittenBundle, writeBundle } from './write-bundle.ts';
export { writeCard } from './write-card.ts';
